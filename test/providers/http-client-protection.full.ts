import type { ServerResponse } from 'node:http';
import { CircuitState } from 'cockatiel';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type {
  ProviderHttpClient,
  ProviderRequest,
  ProviderResponse,
  SendPermit,
} from '../../src/providers/http-client.js';
import { HttpExchange } from '../../src/providers/http-exchange.js';
import { FailureRateBreaker, TimeoutRun } from '../../src/providers/undici-http-client.js';
import { clientFor } from './fixtures/clients.js';
import { closedPort, replyJson, serveHttp } from './fixtures/local-server.js';

const request: ProviderRequest = { method: 'POST', path: '/call', body: { json: {} } };
const rejectedByBreaker: ProviderResponse = {
  kind: 'never_sent',
  evidence: { reason: 'breaker_open', elapsedMs: expect.any(Number) },
};
const HALF_OPEN_AFTER_MS = 5_000;
/** The circuit breaker uses the clock, so tests advance the time instead of waiting. */
const advanceClock = (): void => void vi.setSystemTime(Date.now() + HALF_OPEN_AFTER_MS);

const sendMany = (client: ProviderHttpClient, count: number): Promise<ProviderResponse[]> =>
  Promise.all(Array.from({ length: count }, () => client.send(request)));

/** A provider with a response that the test can change. */
async function scripted(reply: (response: ServerResponse) => void) {
  const script = { reply };
  const server = await serveHttp((_request, response) => script.reply(response));
  return { script, server, client: clientFor(server.baseUrl, { halfOpenAfterMs: HALF_OPEN_AFTER_MS }) };
}

const fails = (response: ServerResponse): void => void response.writeHead(500).end('<html>');
const succeeds = (response: ServerResponse): void => replyJson(response, { status: 'success' });

describe('the circuit breaker', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('opens at the 20th call if half of them failed, and then sends nothing', async () => {
    const { script, server, client } = await scripted(succeeds);
    await sendMany(client, 10);
    script.reply = fails;
    await sendMany(client, 9);
    expect(client.available).toBe(true);
    await client.send(request);
    expect(client.available).toBe(false);
    expect(await client.send(request)).toEqual(rejectedByBreaker);
    expect(server.received).toHaveLength(20);
  });

  it('stays closed with 19 failures', async () => {
    const { client } = await scripted(fails);
    await sendMany(client, 19);
    expect(client.available).toBe(true);
  });

  it('does not count a provider error response as a failure', async () => {
    const { script, client } = await scripted((response) => replyJson(response, { status: false }));
    await sendMany(client, 20);
    script.reply = (response) => replyJson(response, { detail: 'Invalid token' }, 403);
    await sendMany(client, 20);
    expect(client.available).toBe(true);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['JSON with HTTP 503', (response) => replyJson(response, { status: 'busy' }, 503)],
    ['an HTML page', (response) => void response.end('<html>')],
    ['a lost connection', (response) => void response.destroy()],
  ])('counts %s as a failure', async (_name, reply) => {
    const { client } = await scripted(reply);
    await sendMany(client, 20);
    expect(client.available).toBe(false);
  });

  it('counts timeouts and refused connections as failures', async () => {
    const silent = await serveHttp(() => {});
    const slow = clientFor(silent.baseUrl, { timeoutMs: 100 });
    const unreachable = clientFor(`http://127.0.0.1:${await closedPort()}`);
    await Promise.all([sendMany(slow, 20), sendMany(unreachable, 20)]);
    expect([slow.available, unreachable.available]).toEqual([false, false]);
  });

  it('allows one probe after a while, rejects other calls in the meantime, and closes when the probe succeeds', async () => {
    const { script, server, client } = await scripted(fails);
    await sendMany(client, 20);
    expect(client.state).toMatchObject({ breaker: 'open', rejects: true });
    advanceClock();
    expect(client.available).toBe(true);
    // without further calls, nothing is rejected, so that the alert ends
    expect(client.state).toMatchObject({ breaker: 'open', rejects: false });

    const held: ServerResponse[] = [];
    script.reply = (response) => void held.push(response);
    const probe = client.send(request);
    await expect.poll(() => server.received.length).toBe(21);
    expect(client.available).toBe(false);
    expect(client.state).toMatchObject({ breaker: 'half_open', rejects: true });
    expect(await client.send(request)).toEqual(rejectedByBreaker);
    for (const response of held) succeeds(response);
    expect(await probe).toMatchObject({ kind: 'response' });

    expect(client.available).toBe(true);
    expect(client.state).toMatchObject({ breaker: 'closed', rejects: false });
    // Earlier failures are forgotten, so one more failure does not open the circuit breaker again.
    script.reply = fails;
    await client.send(request);
    expect(client.available).toBe(true);
  });

  it('opens again when the probe fails', async () => {
    const { server, client } = await scripted(fails);
    await sendMany(client, 20);
    advanceClock();
    await client.send(request);
    expect(client.available).toBe(false);
    expect(await client.send(request)).toEqual(rejectedByBreaker);
    expect(server.received).toHaveLength(21);
  });

  it('considers only the last ten seconds, also after a pause', () => {
    let nowMs = 0;
    const options = { minimumCalls: 20, windowMs: 10_000, failureRatio: 0.5, nowMs: () => nowMs };
    const breaker = new FailureRateBreaker(options);
    for (let call = 0; call < 19; call += 1) expect(breaker.failure(CircuitState.Closed)).toBe(false);
    nowMs = 60_000;
    expect(breaker.failure(CircuitState.Closed)).toBe(false);
    for (let call = 0; call < 18; call += 1) breaker.failure(CircuitState.Closed);
    nowMs = 69_000;
    expect(breaker.failure(CircuitState.Closed)).toBe(true);
  });
});

describe('the circuit breaker and consecutive timeouts', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  const HALF_OPEN_AFTER_TIMEOUTS_MS = 30_000;
  const neverRespond = (): void => {};
  const startUnresponsive = async () => {
    const script = { reply: neverRespond as (response: ServerResponse) => void };
    const server = await serveHttp((_request, response) => script.reply(response));
    const client = clientFor(server.baseUrl, { timeoutMs: 60, halfOpenAfterMs: HALF_OPEN_AFTER_MS });
    const sendFor = async (...numbers: (string | undefined)[]): Promise<boolean[]> => {
      const available: boolean[] = [];
      for (const number of numbers) {
        await client.send(number === undefined ? request : { ...request, number });
        available.push(client.available);
      }
      return available;
    };
    return { script, server, client, sendFor };
  };

  it('opens at the 5th consecutive timeout of three numbers', async () => {
    const { server, client, sendFor } = await startUnresponsive();
    expect(await sendFor('A', 'B', 'A', 'A', 'C')).toEqual([true, true, true, true, false]);
    expect(await client.send({ ...request, number: 'D' })).toEqual(rejectedByBreaker);
    expect(server.received).toHaveLength(5);
  });

  it.each([
    ['one number', ['A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A']],
    ['two numbers', ['A', 'B', 'A', 'B', 'A', 'B', 'A', 'B', 'A', 'B', 'A', 'B']],
    ['four calls', ['A', 'B', 'C', 'D']],
    ['calls without a number', [undefined, undefined, undefined, undefined, undefined, undefined]],
  ])('stays closed after timeouts of %s', async (_, numbers) => {
    const { client, sendFor } = await startUnresponsive();
    await sendFor(...numbers);
    expect(client.available).toBe(true);
  });

  it('starts counting again only after a success or decline for a number', async () => {
    const cases: [string, (response: ServerResponse) => void, string | undefined][] = [
      ['a success', succeeds, 'D'],
      ['a declined call', (response) => replyJson(response, { status: false }, 400), 'D'],
      ['another failure', fails, 'D'],
      ['a success without a number', succeeds, undefined],
    ];
    const closed = await Promise.all(
      cases.map(async ([name, reply, number]) => {
        const script = { reply: neverRespond as (response: ServerResponse) => void };
        const server = await serveHttp((_request, response) => script.reply(response));
        // long enough that a response does not time out on a busy machine
        const client = clientFor(server.baseUrl, { timeoutMs: 1_500 });
        await Promise.all(['A', 'B', 'C', 'A'].map((each) => client.send({ ...request, number: each })));
        script.reply = reply;
        await client.send(number === undefined ? request : { ...request, number });
        script.reply = neverRespond;
        await client.send({ ...request, number: 'B' });
        return client.available ? [name] : [];
      }),
    );
    expect(closed.flat()).toEqual(['a success', 'a declined call']);
  });

  it('counts connection timeouts, but not refused connections', async () => {
    const unreachable = clientFor(`http://127.0.0.1:${await closedPort()}`);
    for (const number of ['A', 'B', 'C', 'D', 'E', 'F']) await unreachable.send({ ...request, number });
    expect(unreachable.available).toBe(true);
    const exchange = startExchange(20);
    await exchange.response;
    expect(exchange.timedOut).toBe(true);
  });

  it('sends a probe every 30 s and closes when one succeeds', async () => {
    const { script, server, client, sendFor } = await startUnresponsive();
    await sendFor('A', 'B', 'C', 'D', 'E');
    vi.setSystemTime(Date.now() + HALF_OPEN_AFTER_TIMEOUTS_MS - 1);
    expect(client.available).toBe(false);
    vi.setSystemTime(Date.now() + 1);
    expect(await sendFor('A')).toEqual([false]);
    advanceClock();
    expect(client.available).toBe(false);
    script.reply = succeeds;
    // the response may be late on a busy machine; then the next probe closes the circuit breaker
    await expect
      .poll(async () => {
        vi.setSystemTime(Date.now() + HALF_OPEN_AFTER_TIMEOUTS_MS);
        return sendFor(undefined);
      })
      .toEqual([true]);
    // earlier timeouts are forgotten
    script.reply = neverRespond;
    const receivedBefore = server.received.length;
    expect(await sendFor('A', 'B', 'C', 'D')).toEqual([true, true, true, true]);
    expect(server.received).toHaveLength(receivedBefore + 4);
  });

  it('considers only the last five minutes', () => {
    let nowMs = 0;
    const run = new TimeoutRun({ minimumTimeouts: 5, minimumNumbers: 3, windowMs: 300_000, nowMs: () => nowMs });
    for (const number of ['A', 'B', 'C', 'D']) run.add(number);
    nowMs = 300_000;
    run.add('E');
    expect(run.isReached).toBe(false);
    nowMs = 599_999;
    for (const number of ['A', 'A', 'B']) run.add(number);
    expect(run.isReached).toBe(false);
    run.add('B');
    expect(run.isReached).toBe(true);
    nowMs = 1_200_000;
    run.add('A');
    expect(run.isReached).toBe(true);
    run.clear();
    expect(run.isReached).toBe(false);
  });
});

describe('the bulkhead', () => {
  it('rejects a call without a free slot immediately and runs a queued call when a slot is free', async () => {
    const held: ServerResponse[] = [];
    const server = await serveHttp((_request, response) => void held.push(response));
    const client = clientFor(server.baseUrl, { maxConcurrent: 2, maxQueued: 1 });
    const running = [client.send(request), client.send(request)];
    await expect.poll(() => held.length).toBe(2);
    expect(client.available).toBe(true);
    const queued = client.send(request);
    await expect.poll(() => client.available).toBe(false);
    expect(await client.send(request)).toEqual(rejectedByBreaker);

    for (const response of held.splice(0)) succeeds(response);
    await expect.poll(() => held.length).toBe(1);
    for (const response of held) succeeds(response);
    for (const response of await Promise.all([...running, queued])) expect(response.kind).toBe('response');
    expect(server.received).toHaveLength(3);
    expect(client.available).toBe(true);
  });

  it('never exceeds the limit of concurrent calls', async () => {
    let active = 0;
    let most = 0;
    const server = await serveHttp((_request, response) => {
      active += 1;
      most = Math.max(most, active);
      setTimeout(() => {
        active -= 1;
        succeeds(response);
      }, 20);
    });
    const client = clientFor(server.baseUrl, { maxConcurrent: 2, maxQueued: 10 });
    const responses = await sendMany(client, 10);
    expect(responses.every(({ kind }) => kind === 'response')).toBe(true);
    expect(most).toBe(2);
  });
});

describe('a permit', () => {
  const neverSent: ProviderResponse = {
    kind: 'never_sent',
    evidence: { reason: 'never_sent', elapsedMs: expect.any(Number) },
  };

  it('that has expired sends nothing to the provider and does not affect the circuit breaker', async () => {
    const { client, server } = await scripted(succeeds);
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => client.send({ ...request, permit: { isOver: () => true } })),
    );
    expect(responses).toEqual(responses.map(() => neverSent));
    expect(server.received).toHaveLength(0);
    expect(client.available).toBe(true);
  });

  it.each([
    ['the order is claimed by another process', async () => false],
    ['the claim cannot be verified', () => Promise.reject(new Error('the database is away'))],
  ])('is verified again before the request is sent: %s', async (_, isStillClaimed) => {
    const { client, server } = await scripted(succeeds);
    expect(await client.send({ ...request, permit: { isOver: () => false, isStillClaimed } })).toEqual(neverSent);
    expect(server.received).toHaveLength(0);
  });

  it('that is still valid costs a single check', async () => {
    const { client, server } = await scripted(succeeds);
    const isStillClaimed = vi.fn(async () => true);
    const response = await client.send({ ...request, permit: { isOver: () => false, isStillClaimed } });
    expect(response.kind).toBe('response');
    expect(server.received).toHaveLength(1);
    expect(isStillClaimed).toHaveBeenCalledTimes(1);
  });
});

const controller = () => {
  const aborted: Error[] = [];
  return {
    aborted,
    paused: false,
    reason: null,
    abort: (reason: Error) => void aborted.push(reason),
    pause: () => {},
    resume: () => {},
  } as unknown as Parameters<HttpExchange['onRequestStart']>[0] & { aborted: Error[] };
};

const startExchange = (timeoutMs: number, permit?: SendPermit): HttpExchange => {
  const exchange = new HttpExchange(timeoutMs, permit);
  onTestFinished(() => exchange.onResponseError(null, new Error('end of test')));
  expect(exchange.begin()).toBe(true);
  return exchange;
};

describe('an exchange', () => {
  it('that is still connecting at its deadline counts as never sent and is not written afterwards', async () => {
    const exchange = startExchange(20);
    expect(await exchange.response).toMatchObject({ kind: 'never_sent', evidence: { reason: 'never_sent' } });
    const late = controller();
    exchange.onRequestStart(late);
    expect(late.aborted).toHaveLength(1);
  });

  it('of a process that was frozen past its deadline is not written, even before a timer fires', async () => {
    const exchange = startExchange(20);
    for (const end = performance.now() + 25; performance.now() < end; );
    const late = controller();
    exchange.onRequestStart(late);
    expect(late.aborted).toHaveLength(1);
    expect(await exchange.response).toMatchObject({ kind: 'never_sent', evidence: { reason: 'never_sent' } });
  });

  it('whose permit expired while it was connecting is not written', async () => {
    let isOver = false;
    const exchange = startExchange(60_000, { isOver: () => isOver });
    isOver = true;
    const late = controller();
    exchange.onRequestStart(late);
    expect(late.aborted).toHaveLength(1);
    expect(await exchange.response).toMatchObject({ kind: 'never_sent', evidence: { reason: 'never_sent' } });
  });

  it('of a machine that was suspended past the deadline is not written, although no timer fired', async () => {
    const exchange = startExchange(60_000);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 60_000);
    onTestFinished(() => void vi.restoreAllMocks());
    const late = controller();
    exchange.onRequestStart(late);
    expect(late.aborted).toHaveLength(1);
  });

  it('that is queued at its deadline does not start afterwards', async () => {
    const exchange = new HttpExchange(20);
    expect(await exchange.response).toEqual(rejectedByBreaker);
    expect(exchange.begin()).toBe(false);
  });

  it('cannot be written a second time', () => {
    const exchange = startExchange(1_000);
    const [first, second] = [controller(), controller()];
    exchange.onRequestStart(first);
    exchange.onRequestStart(second);
    expect([first.aborted.length, second.aborted.length]).toEqual([0, 1]);
  });

  it('ignores an interim response', async () => {
    const exchange = startExchange(1_000);
    exchange.onRequestStart(controller());
    exchange.onResponseStart(controller(), 102);
    exchange.onResponseError(null, new Error('closed'));
    expect(await exchange.response).toMatchObject({ kind: 'unknown', evidence: { reason: 'connection_lost' } });
  });
});
