import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Poller } from '../../src/core/poller.js';
import {
  currentScope,
  forOrder,
  inScope,
  noteOrder,
  RequestNotes,
  type Scope,
  type Span,
  type SpanValues,
  traced,
} from '../../src/core/scope.js';
import { until } from '../support/until.js';

const order = { id: 'o', reference: 'R' };

/** A span that writes its data into a list. */
const spanInto = (records: unknown[], path = 'root'): Span => ({
  traceId: 't',
  child: (name, kind, values) => {
    records.push(['begin', `${path}/${name}`, kind, values]);
    return spanInto(records, `${path}/${name}`);
  },
  end: (values?: SpanValues, failed = false) => records.push(['end', path, values, failed]),
});

it('a scope follows work through promises and timers, and two scopes never mix', async () => {
  const scopes = await Promise.all(
    ['a', 'b'].map((requestId) =>
      inScope({ requestId }, async () => {
        await pause(1);
        return forOrder(order, async () => {
          await Promise.resolve();
          return currentScope();
        });
      }),
    ),
  );
  expect(scopes).toEqual(['a', 'b'].map((requestId) => ({ requestId, order })));
  expect(currentScope()).toBeUndefined();
});

it('an order is noted once per request, and not at all without a request', () => {
  const notes = new RequestNotes();
  inScope({ requestId: 'a', notes }, () => {
    noteOrder(order);
    noteOrder({ ...order });
  });
  noteOrder({ id: 'p', reference: 'S' });
  expect(notes.orders).toEqual([order]);
});

it('work is a span inside that of its scope, and ends with its outcome or the code of its error', async () => {
  const records: unknown[] = [];
  const error = Object.assign(new Error('number 9876543210'), { code: '23505' });
  await inScope({ span: spanInto(records) }, async () => {
    const value = await traced('outer', 'internal', { a: 1 }, () =>
      traced(
        'inner',
        'client',
        {},
        async () => 'done',
        (result) => ({ result }),
      ),
    );
    expect(value).toBe('done');
    await expect(traced('bad', 'internal', {}, () => Promise.reject(error))).rejects.toBe(error);
  });
  expect(records).toEqual([
    ['begin', 'root/outer', 'internal', { a: 1 }],
    ['begin', 'root/outer/inner', 'client', {}],
    ['end', 'root/outer/inner', { result: 'done' }, false],
    ['end', 'root/outer', undefined, false],
    ['begin', 'root/bad', 'internal', {}],
    ['end', 'root/bad', { 'error.type': '23505' }, true],
  ]);
});

it('work without tracing runs unchanged', async () => {
  const work = async (): Promise<number> => 1;
  let promise: Promise<number> | undefined;
  const run = traced('any', 'internal', {}, () => (promise = work()));
  expect(run).toBe(promise);
  expect(await run).toBe(1);
});

it('a loop that was woken by a request does not run in the scope of the request', async () => {
  const scopes: (Scope | undefined)[] = [];
  const poller = new Poller(
    async () => {
      scopes.push(currentScope());
      return false;
    },
    1,
    () => {},
  );
  inScope({ requestId: 'a' }, () => poller.start());
  await until('several rounds', () => scopes.length > 2);
  await poller.stop();
  expect(scopes.every((scope) => scope === undefined)).toBe(true);
});
