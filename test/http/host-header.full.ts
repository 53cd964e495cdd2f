import { expect, it } from 'vitest';
import { securityText } from '../../src/http/pages/security-text.js';
import { useAppBehindProxy } from './behind-proxy.fixture.js';

const test = useAppBehindProxy();

const send = (url: string, host: string, more: Record<string, string> = {}) =>
  test.app.hosts.get('uat')!.inject({ method: 'GET', url, headers: { host, ...more } });

it('serves only its own name behind a proxy, whatever a client sends in X-Forwarded-Host', async () => {
  expect((await send('/openapi.json', 'uat.gateway.example')).statusCode).toBe(200);
  const otherHost = await send('/openapi.json', 'api.gateway.example', { 'x-forwarded-host': 'uat.gateway.example' });
  expect([otherHost.statusCode, otherHost.json().code]).toEqual([404, 'NOT_FOUND']);
  expect((await send('/livez', '10.0.0.7:4000')).statusCode).toBe(200);
});

it('uses its public URL in links, not the address it listens on', async () => {
  expect((await send('/openapi.json', 'uat.gateway.example')).json().servers).toMatchObject([
    { url: 'https://uat.gateway.example' },
  ]);
});

it.each([
  ['uat', 'uat.gateway.example'],
  ['production', 'api.gateway.example'],
  ['console', 'console.gateway.example'],
] as const)('publishes a security contact on %s, with an expiry date in the future', async (name, host) => {
  const url = '/.well-known/security.txt';
  const response = await test.app.hosts.get(name)!.inject({ method: 'GET', url, headers: { host } });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const [, expires] = /^Expires: (.+)$/m.exec(response.body)!;
  expect(response.body.split('\n')).toEqual([
    'Contact: mailto:security@gateway.example',
    'Contact: https://gateway.example/report',
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: https://${host}${url}`,
    'Policy: https://gateway.example/security',
    '',
  ]);
  const days = (Date.parse(expires!) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(178);
  expect(days).toBeLessThan(366);
});

it('updates the expiry date of the security contact while the process runs', () => {
  const reports = { contacts: ['mailto:a@b.example'], policyUrl: undefined };
  const at = (time: string) => securityText(reports, 'https://x.example', Date.parse(time));
  expect(at('2026-01-01T05:00:00Z')).toContain('Expires: 2026-06-30T00:00:00.000Z');
  expect(at('2026-12-31T23:59:59Z')).toContain('Expires: 2027-06-29T00:00:00.000Z');
});
