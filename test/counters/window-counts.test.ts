import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import { Metrics } from '../../src/core/metrics.js';
import type { DeveloperId, Principal, UserId } from '../../src/core/principal.js';
import { WindowCounts } from '../../src/core/window-counts.js';
import {
  ANONYMOUS_SHARE,
  DocumentCounter,
  INVALID_SHARE,
  NETWORK_SHARES,
} from '../../src/graphql/documents/counter.js';

describe('counts in memory', () => {
  it('are limited to a maximum number of keys, and the oldest key is dropped', () => {
    const counts = new WindowCounts(3);
    for (const key of ['a', 'b', 'c', 'a', 'd']) counts.add(key, 60_000);
    expect(counts.size).toBe(3);
    expect(['a', 'b', 'c', 'd'].map((key) => counts.read(key).count)).toEqual([0, 1, 1, 1]);
    for (let n = 0; n < 1_000; n++) counts.add(`${n}`, 60_000);
    expect(counts.size).toBe(3);
  });

  it('restart when their window has ended, and are dropped then', async () => {
    const counts = new WindowCounts(3);
    counts.add('a', 1, 5);
    await expect.poll(() => counts.read('a').count).toBe(0);
    expect(counts.add('b', 60_000).count).toBe(1);
    expect(counts.size).toBe(1);
    expect(counts.add('b', 60_000, -1)).toMatchObject({ count: 0 });
  });
});

const anonymous = (addressKey: string): RequestContext => ({ addressKey }) as RequestContext;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'counted',
    ({ code }: { code: string }) => code,
  );

describe('documents of anonymous callers', () => {
  const PER_MINUTE = 1;
  const ofAddress = ANONYMOUS_SHARE * PER_MINUTE;

  it.each([
    ['56', NETWORK_SHARES[1], (n: number) => `2001:db8:0:${n.toString(16)}::/64`],
    ['48', NETWORK_SHARES[2], (n: number) => `2001:db8:0:${(n * 256).toString(16)}::/64`],
  ])(
    'are limited for each IPv6 network of %s bits, however many addresses it uses',
    async (_bits, share, addressOf) => {
      const counter = new DocumentCounter(PER_MINUTE, new Metrics());
      const send = (n: number) => codeOf(counter.countAnonymous(anonymous(addressOf(n))));
      for (let n = 0; n < share * ofAddress; n++) expect(await send(n)).toBe('counted');
      expect(await send(200)).toBe('RATE_LIMITED');
      expect(await codeOf(counter.countAnonymous(anonymous('2001:db8:1:1::/64')))).toBe('counted');
      expect(await codeOf(counter.countAnonymous(anonymous('203.0.113.7')))).toBe('counted');
    },
  );

  it('that are invalid block a network after two or four times the limit of an address', async () => {
    const counter = new DocumentCounter(PER_MINUTE, new Metrics());
    for (let n = 0; n < INVALID_SHARE * NETWORK_SHARES[1]; n++)
      await counter.countInvalid(anonymous(`2001:db8:0:${n}::/64`));
    expect(await codeOf(counter.rejectOffender(anonymous('2001:db8:0:99::/64')))).toBe('RATE_LIMITED');
    expect(await codeOf(counter.rejectOffender(anonymous('2001:db8:0:100::/64')))).toBe('counted');
  });
});

it('invalid documents of users and API tokens of an account are counted together, and those of its client tokens separately', async () => {
  const counter = new DocumentCounter(1, new Metrics());
  const of = (principal: object) =>
    ({ addressKey: '203.0.113.7', principal: principal as Principal }) as RequestContext;
  const developerId = 'd1' as DeveloperId;
  const user = (name: string) => of({ kind: 'session', userId: name as UserId, developerId });
  await counter.countInvalid(user('one'));
  await counter.countInvalid(user('two'));
  expect(await codeOf(counter.rejectOffender(of({ kind: 'developer', developerId })))).toBe('RATE_LIMITED');
  expect(await codeOf(counter.rejectOffender(of({ kind: 'developer', developerId, client: {} })))).toBe('counted');
});
