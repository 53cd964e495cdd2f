import { expect, it } from 'vitest';
import { createLogger, type Logger } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';

const lineOf = (write: (log: Logger) => void): Record<string, unknown> => {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!) as Record<string, unknown>;
};

it('a log line contains its fields', () => {
  const at = new Date('2026-03-01T10:00:00Z');
  const fields = { requestId: 'r', ms: 3, ok: true, none: null, list: [1, { two: 2 }], inner: { deeper: { at } } };
  expect(lineOf((log) => log.info(fields, 'request'))).toMatchObject({
    level: 30,
    msg: 'request',
    ...fields,
    inner: { deeper: { at: at.toISOString() } },
  });
});

it.each(['authorization', 'cookie', 'token', 'apiSecret', 'api_secret', 'password', 'pan', 'card', 'mobile', 'email'])(
  'the value of %s is never logged, at any depth',
  (name) => {
    const secret = 'never seen';
    const fields = {
      [name]: secret,
      one: { [name]: secret, two: { [name]: { value: secret } } },
      list: [{ [name]: [secret] }],
      four: { levels: { are: { too: { deep: secret } } } },
    };
    const line = lineOf((log) => log.warn(fields));
    expect(JSON.stringify(line)).not.toContain(secret);
    expect(line).toMatchObject({ [name]: '[redacted]', one: { [name]: '[redacted]', two: { [name]: '[redacted]' } } });
  },
);

it('secrets are masked, and an error is logged as type, code and stack because its message can quote input', () => {
  const error = Object.assign(new Error('number 9876543210'), { code: '23505', detail: 'Key (mobile)=(9876543210)' });
  for (const write of [(log: Logger) => log.error({ err: error }), (log: Logger) => log.error(error)]) {
    const { err } = lineOf(write) as { err: Record<string, string> };
    expect(Object.keys(err)).toEqual(['type', 'code', 'stack']);
    expect([err.type, err.code]).toEqual(['Error', '23505']);
    expect(err.stack).toMatch(/^ *at .*log\.test\.ts/);
    expect(err.stack).not.toContain('9876543210');
  }
  expect(lineOf((log) => log.info({ key: new Secret('hidden') })).key).toBe('[secret]');
});
