import { beforeAll, expect, it } from 'vitest';
import { takesBody } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import type { Answer, TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 100_000 });
});

const BLANKS = {
  'a space': ' ',
  'a tab': '\t',
  'a line end': '\r\n',
  'a no-break space': '\u00a0',
  'a byte order mark': '\ufeff',
} as const;

let made = 0;
/** The example of a route with one field changed, and a key that no other request has. */
function sent(route: (typeof routes)[number], change: Readonly<Record<string, unknown>>): Promise<Answer> {
  const key = route.keyField && route.keyField in route.example ? { [route.keyField]: `blank ${++made}` } : {};
  const fields: Record<string, unknown> = { ...route.example, ...key, ...change };
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fields[name] ?? 'none')),
  );
  if (takesBody(route)) return test.rest('uat', route.method, path, developer.tokens.uat, fields);
  const query = Object.entries(fields).filter(([name]) => !route.path.includes(`{${name}}`));
  return test.rest('uat', route.method, `${path}?${new URLSearchParams(query as string[][])}`, developer.tokens.uat);
}

const cases = routes.flatMap((route) =>
  Object.keys(route.example).map((field) => ({ route, field, path: route.path })),
);

it.each(cases)('blanks around $field of $path are no mistake', async ({ route, field }) => {
  const { [field]: value } = route.example;
  // each character of a secret counts
  if (typeof value === 'object' || field === 'api_secret') return;
  const { body: plain } = await sent(route, { [field]: String(value) });
  for (const [name, blank] of Object.entries(BLANKS)) {
    const text = field === route.keyField ? `${value} ${++made}` : String(value);
    const { body } = await sent(route, { [field]: `${blank}${text}${blank}` });
    expect([name, body.errors]).toEqual([name, plain.errors]);
    expect(body.code).not.toBe('INVALID_DOCUMENT');
  }
});
