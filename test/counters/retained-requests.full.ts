import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { GraphQLError, parse } from 'graphql';
import { expect, it } from 'vitest';
import type { RequestContext } from '../../src/core/context.js';
import { AppError, overloaded } from '../../src/core/errors.js';
import { Metrics } from '../../src/core/metrics.js';
import { Poller } from '../../src/core/poller.js';
import { inScope, RequestNotes } from '../../src/core/scope.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { DocumentCounter } from '../../src/graphql/documents/counter.js';
import { until } from '../support/until.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const documents = new DocumentCounter(60, new Metrics());
const counters = new MemoryCounters();

it('the notes of a request hold references neither to its errors nor to their causes', async () => {
  const notes = new RequestNotes();
  const left = (() => {
    const context = { document: parse('{ wallet { balance } }') };
    const causes = [
      Object.assign(new Error('a defect'), { context }),
      new GraphQLError('a defect', { nodes: context.document.definitions, originalError: new TypeError('inner') }),
      undefined,
    ];
    const errors = causes.map((cause) => new AppError('INTERNAL', { cause }));
    errors.push(overloaded('memory', { cause: context }));
    for (const error of errors) notes.addFailure(error);
    return [context, context.document, ...errors].map((value) => new WeakRef<object>(value));
  })();
  await until('all are collected', async () => {
    collectGarbage();
    return left.every((reference) => reference.deref() === undefined);
  });
  const names = notes.failures.map(({ code, overload, cause }) => [code, overload, cause?.type]);
  expect(names).toEqual([
    ['INTERNAL', undefined, 'Error'],
    ['INTERNAL', undefined, 'TypeError'],
    ['INTERNAL', undefined, undefined],
    ['OVERLOADED', 'memory', undefined],
  ]);
  expect(notes.failures[0]!.cause!.stack).toContain('retained-requests');
});

/**
 * A Node timer keeps the async context in which it was created. A counter has one timer for each key, for the length of its
 * window.
 */
it.each<[string, (context: RequestContext) => Promise<unknown>]>([
  ['an invalid document', (context) => documents.countInvalid(context)],
  ['an introspection query', (context) => documents.countIntrospection(context)],
  ['a document of an anonymous caller', (context) => documents.countAnonymous(context)],
  ['a failed attempt', ({ addressKey }) => counters.add(`attempt:${addressKey}`, 900)],
])('counting in %s does not keep the request in memory', async (_name, count) => {
  const requests = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const notes = new RequestNotes();
      await inScope({ notes }, () => count({ addressKey: `10.0.0.${n}` } as RequestContext));
      return new WeakRef(notes);
    }),
  );
  await until('every request was collected', async () => {
    collectGarbage();
    return requests.every((request) => request.deref() === undefined);
  });
  expect(requests).toHaveLength(20);
});

it('a poller that is woken by a request does not keep the request in memory', async () => {
  let rounds = 0;
  const poller = new Poller(
    async () => {
      rounds++;
      return false;
    },
    3_600_000,
    () => {},
  );
  poller.start();
  await until('the first round has ended', async () => rounds === 1);
  const request = (() => {
    const notes = new RequestNotes();
    inScope({ notes }, () => poller.wake());
    return new WeakRef(notes);
  })();
  await until('the request was collected', async () => {
    collectGarbage();
    return rounds === 2 && request.deref() === undefined;
  });
  await poller.stop();
});
