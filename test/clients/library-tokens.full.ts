import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';
import { libraries } from './libraries.fixture.js';
import { booksOf, mobileNumber, newRecharge, useShops } from './shop.fixture.js';

const test = useSharedApp();
const EXCHANGE = '/client-credentials';
const tokenFile = () => path.join(temporaryDirectory(), 'token');

describe.concurrent.each(libraries)('the token of the client library for %s', (...args) => {
  const [, library, isHere] = args;
  const itHere = it.runIf(isHere);
  const { open } = useShops(test, args);
  const expire = (developerId: string) =>
    test.db.query(
      `update access_token set expires_at = now() - interval '1 minute', created_at = now() - interval '2 minutes' where developer_id = $1`,
      [developerId],
    );

  itHere('is exchanged once, and again after it has expired, and the request is repeated', async () => {
    const developer = await test.developer();
    const { gate, library: run } = await open({ developer });
    await run.outcome('recharge', newRecharge());
    await run.call('request', 'GET', '/api/v1/auth/me');
    expect(gate.count(EXCHANGE)).toBe(1);
    await expire(developer.id);
    const order = newRecharge();
    expect(await run.outcome('recharge', order)).toMatchObject({ status: 'success' });
    expect([gate.count(EXCHANGE), gate.count('/recharge')]).toEqual([2, 3]);
    expect(await booksOf(test, developer, order.client_request_id, order.account_number)).toMatchObject({
      orders: 1,
      performed: 1,
    });
    const used = gate.requests.filter(({ path: to }) => to.endsWith('/recharge'));
    expect(new Set(used.map(({ authorization }) => authorization)).size).toBe(2);
  });

  itHere('can expire while waiting for the outcome', async () => {
    const developer = await test.developer();
    const { gate, library: run } = await open({ developer, onPause: () => expire(developer.id) });
    const order = newRecharge(mobileNumber('0007'));
    const { status } = await run.outcome('recharge', order);
    expect(status).toBe('success');
    expect(gate.count(EXCHANGE)).toBe(run.pauses.length + 1);
    expect(await booksOf(test, developer, order.client_request_id, order.account_number)).toMatchObject({
      orders: 1,
      state: 'success',
      performed: 1,
    });
  });

  itHere('is shared between processes in a file that only its owner can read', async () => {
    const developer = await test.developer();
    const file = tokenFile();
    const first = await open({ developer, tokenFile: file });
    const process = () => open({ developer, tokenFile: file, baseUrl: first.gate.url });
    const shops = [first, await process(), await process()];
    const exchanges = () => first.gate.count(EXCHANGE);
    const send = () => Promise.all(shops.map((shop) => shop.library.call('request', 'GET', '/api/v1/auth/me')));
    await send();
    await send();
    // Node processes do not wait for each other
    expect(exchanges()).toBeLessThanOrEqual(library.name === 'PHP' ? 1 : 3);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/at_live_/);
    const exchangesBefore = exchanges();
    await expire(developer.id);
    for (const { returned } of await send()) expect(returned.roles).toEqual(['developer']);
    expect(exchanges() - exchangesBefore).toBeLessThanOrEqual(library.name === 'PHP' ? 1 : 3);
    const renewed = exchanges();
    await (await process()).library.call('request', 'GET', '/api/v1/auth/me');
    expect(exchanges()).toBe(renewed);
  });

  itHere('is not used with other credentials that share the file', async () => {
    const [firstDeveloper, secondDeveloper] = [await test.developer(), await test.developer()];
    const file = tokenFile();
    const first = await open({ developer: firstDeveloper, tokenFile: file });
    const second = await open({ developer: secondDeveloper, tokenFile: file, baseUrl: first.gate.url });
    const ids: number[] = [];
    for (const { library: run } of [first, second, first])
      ids.push((await run.call('request', 'GET', '/api/v1/auth/me')).returned.id);
    expect(ids).toEqual([ids[0], expect.not.toSatisfy((id) => id === ids[0]), ids[0]]);
  });

  itHere('is renewed if the file is unreadable', async () => {
    const developer = await test.developer();
    for (const text of ['', 'rubbish', '7', '{"account":1}']) {
      const file = tokenFile();
      writeFileSync(file, text);
      const { library: run } = await open({ developer, tokenFile: file });
      const { returned } = await run.call('request', 'GET', '/api/v1/auth/me');
      expect([text, returned?.roles]).toEqual([text, ['developer']]);
    }
  });

  itHere('leads to pending, not failed, if it cannot be obtained, and nothing is sent', async () => {
    const developer = await test.developer();
    const { gate, library: run } = await open({ developer, apiSecret: 'sk_live_wrong' });
    expect(await run.outcome('recharge', newRecharge())).toMatchObject({
      status: 'pending',
      error: { code: 'INVALID_CREDENTIALS', httpStatus: 401, retryable: false },
    });
    const { thrown } = await run.call('findOperator', { mobile: '9468455123', orderid: 'x' });
    expect(thrown).toMatchObject({ code: 'INVALID_CREDENTIALS', retryable: false });
    const unwritable = await open({ developer, tokenFile: '/nowhere/token' });
    expect(await unwritable.library.outcome('recharge', newRecharge())).toMatchObject({
      status: 'pending',
      error: { code: 'NOT_SENT', retryable: false },
    });
    expect([gate.count('/recharge'), gate.count('/operator-fetch'), unwritable.gate.count('/recharge')]).toEqual([
      0, 0, 0,
    ]);
  });

  itHere('is exchanged again after faults', async () => {
    const developer = await test.developer();
    const { gate, library: run } = await open({ developer });
    gate.faults(EXCHANGE, 'reset before', 'cut', 'page after');
    expect(await run.outcome('recharge', newRecharge())).toMatchObject({ status: 'success' });
    expect([gate.count(EXCHANGE), gate.count('/recharge')]).toEqual([4, 1]);
  });

  it.runIf(isHere && library.name === 'Node')('is exchanged once for all waiting calls', async () => {
    const developer = await test.developer();
    const { gate, library: run } = await open({ developer });
    const all = () => Promise.all([1, 2, 3, 4, 5].map(() => run.call('request', 'GET', '/api/v1/auth/me')));
    await all();
    expect(gate.count(EXCHANGE)).toBe(1);
    await expire(developer.id);
    for (const { returned } of await all()) expect(returned.roles).toEqual(['developer']);
    expect(gate.count(EXCHANGE)).toBe(2);
  });
});
