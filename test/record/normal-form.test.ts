import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NormalForm } from './normal-form.js';

/** Responses of a service with random IDs, tokens and a port, and the current time. */
function responsesOf(port: number, now: Date) {
  const [order, other, token] = [randomUUID(), randomUUID(), `at_uat_${randomUUID().replaceAll('-', '')}`];
  const form = new NormalForm({ uat: `http://127.0.0.1:${port}` });
  const time = Math.floor(now.getTime() / 1_000);
  return [
    form.text(JSON.stringify({ token, id: order, at: now, url: `http://127.0.0.1:${port}/docs/errors#RATE_LIMITED` })),
    form.text(JSON.stringify({ id: other, before: order, created: time, secretLast4: token.slice(-4) })),
    form.body(`the key_of_the_caller_1, ${order}, ${'long '.repeat(1_000)}`, 'the key_of_the_caller_1'),
    JSON.stringify(form.headers({ date: now.toUTCString(), etag: `"${order}"`, 'retry-after': String(time % 60) })),
  ];
}

it('two runs of one service have the same normal form', () => {
  const first = responsesOf(4000, new Date());
  expect(responsesOf(51_234, new Date(Date.now() - 86_400_000))).toEqual(first);
  expect(first[0]).toBe('{"token":"<1>","id":"<2>","at":"<time>","url":"http://<uat>/docs/errors#RATE_LIMITED"}');
  expect(first[1]).toMatch(/^\{"id":"<3>","before":"<2>","created":<time>,"secretLast4":"<4>"\}$/);
  expect(first[2]).toMatch(/^the key_of_the_caller_1, <2>, long .*… 50\d\d characters, [\da-f]{64}$/);
  expect(first[3]).toBe('{"etag":"\\"<2>\\"","retry-after":"n"}');
});

it('differences in an ID, a word, an amount or the end of a long text are kept', () => {
  const normalized = (text: string) => new NormalForm({}).body(text, '');
  const [id, other] = [randomUUID(), randomUUID()];
  expect(normalized(`${id} ${id}`)).not.toBe(normalized(`${id} ${other}`));
  expect(normalized('INSUFFICIENT_BALANCE')).not.toBe(normalized('IDEMPOTENCY_KEY_REUSED'));
  expect(normalized('{"amount":199}')).not.toBe(normalized('{"amount":199.5}'));
  expect(normalized(`${'a'.repeat(15)} `.repeat(400))).not.toBe(
    normalized(`${`${'a'.repeat(15)} `.repeat(399)}${'b'.repeat(15)} `),
  );
});

it('npm run record starts its program', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { record: string } };
  const [program, ...args] = scripts.record.split(' && ').at(-1)!.split(' ');
  expect(program).toBe('node');
  const printed = execFileSync(process.execPath, [...args, 'compare', 'tsconfig.json', 'tsconfig.json']);
  expect(String(printed)).toMatch(/^Equal: \d+ answers\.\n$/);
});
