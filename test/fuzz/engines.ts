import { MapperKind, mapSchema } from '@graphql-tools/utils';
import fc from 'fast-check';
import {
  type GraphQLError,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { compileQuery } from 'graphql-jit';
import type { RequestContext } from '../../src/core/context.js';
import type { Host } from '../../src/core/environment.js';
import { AppError } from '../../src/core/errors.js';
import { canonicalJson } from '../../src/core/secret.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { OperationErrors } from '../../src/graphql/documents/operation-errors.js';
import { Executor } from '../../src/graphql/execution/executor.js';
import { appErrorOf } from '../../src/graphql/execution/format-error.js';
import { RateLimits } from '../../src/graphql/schema/limits.js';
import { Draw } from './generate/draw.js';
import { type EngineOperation, EngineOperations } from './generate/engine-operation.js';

/** Documents are compiled when they are used for the third time. */
const USES = 3;
const FAILING = 3;
const NULL = 4;
const LATE = 30;

/** 0 to 99, and always the same for the same text. */
function shareOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 7) % 100;
}

const scalars: Readonly<Record<string, (seed: string) => unknown>> = {
  Int: (seed) => shareOf(seed),
  SafeInt: (seed) => shareOf(seed),
  Float: (seed) => shareOf(seed) / 4,
  Boolean: (seed) => shareOf(seed) < 50,
  Rupees: (seed) => BigInt(shareOf(seed)),
  DateTime: (seed) => new Date(shareOf(seed) * 1_000_000_000),
  Date: () => '2026-01-01',
  CircleCode: () => '96',
};

function valueOf(type: GraphQLOutputType, seed: string): unknown {
  // Returns null in non-null places too, so that both engines must find the same nullable parent. Not in lists, where graphql-js
  // drops the error of a late item when the next one fails immediately.
  const isItem = seed.includes('/');
  if (shareOf(`null ${seed}`) < NULL && !(isItem && isNonNullType(type))) return null;
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner))
    return Array.from({ length: shareOf(seed) % 4 }, (_, n) => valueOf(inner.ofType, `${seed}/${n}`));
  if (isEnumType(inner)) return inner.getValues()[shareOf(seed) % inner.getValues().length]!.value;
  if (!isObjectType(inner)) return (scalars[inner.toString()] ?? String)(seed);
  const fields = inner.getFields();
  // properties are created when they are read, because types refer to each other
  return new Proxy(
    { seed },
    {
      get: (_target, name) =>
        name === 'seed' ? seed : fields[String(name)] && valueOf(fields[String(name)]!.type, `${seed}.${String(name)}`),
    },
  );
}

/** The engines may list arguments in a different order. */
const argumentsText = (args: object): string =>
  canonicalJson(JSON.parse(JSON.stringify(args, (_key, value) => (typeof value === 'bigint' ? String(value) : value))));

/**
 * The same schema with data that depends only on the path and the arguments, so that both engines must return the same: some
 * fields fail, some are null, some are late. Fields without a resolver keep none, because the JIT reads them differently.
 */
const standIn = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (config: GraphQLFieldConfig<unknown, unknown>, name, type) => {
      if (!config.resolve) return config;
      return {
        ...config,
        resolve: (source, args) => {
          const parent = (source as { seed?: string } | undefined)?.seed ?? '';
          const seed = `${parent}.${type}.${name}(${argumentsText(args)})`;
          const share = shareOf(seed);
          if (share < FAILING) throw new AppError('NOT_FOUND');
          const value = valueOf(config.type, seed);
          return share < FAILING + LATE ? Promise.resolve(value) : value;
        },
      };
    },
  });

export interface Comparison {
  operations: number;
  compiled: number;
  /** Operations with different results, and both results. */
  differences: { operation: EngineOperation; interpreted: string; compiled: string }[];
}

/** Runs random valid operations of one host, each with graphql-js and as a caller gets it at the third use. */
export async function compareEngines(
  host: Host,
  schema: GraphQLSchema,
  seed: number,
  count: number,
): Promise<Comparison> {
  const served = standIn(schema);
  const comparison: Comparison = { operations: 0, compiled: 0, differences: [] };
  const arbitrary = fc.gen().map((generate) => EngineOperations.generate(new Draw(generate), served));
  for (let batch = 0; comparison.operations < count; batch++) {
    // new limits for each batch, so that no operation is rejected because of earlier ones
    const limits = new RateLimits(new MemoryCounters(), 1_000_000);
    const errorResponses = new OperationErrors(served, limits);
    const interpreter = new Executor(errorResponses, { compile: false });
    const compiler = new Executor(errorResponses, {
      compile: (...args) => {
        comparison.compiled++;
        return compileQuery(...args);
      },
    });
    for (const operation of fc.sample(arbitrary, { seed: seed + batch, numRuns: 200, unbiased: true })) {
      if (validate(served, parse(operation.source)).length > 0 || comparison.operations >= count) continue;
      comparison.operations++;
      const interpreted = await responseOf(host, interpreter, operation, 1);
      const compiled = await responseOf(host, compiler, operation, USES);
      if (interpreted !== compiled) comparison.differences.push({ operation, interpreted, compiled });
    }
  }
  return comparison;
}

/** The last of several results: its data, and those parts of its errors that the specification defines. */
async function responseOf(
  host: Host,
  executor: Executor,
  { source, variables }: EngineOperation,
  uses: number,
): Promise<string> {
  const document = parse(source);
  const operation = getOperationAST(document)!;
  let response: unknown;
  for (let use = 0; use < uses; use++) {
    const { result, rejection: errorResponse } = await executor.run(
      { document, operation, variables: structuredClone(variables) },
      callerOf(host),
    );
    response = errorResponse
      ? [errorResponse.code, errorResponse.details.fields]
      : {
          data: result.data,
          errors: [...new Set(result.errors?.map((error) => noted(error, result.data)))].toSorted(),
        };
  }
  return canonicalJson(JSON.parse(JSON.stringify(response)));
}

const callerOf = (host: Host): RequestContext =>
  ({
    requestId: 'r',
    host,
    addressKey: 'a',
    principal: host === 'console' ? { kind: 'session', role: 'admin' } : { kind: 'developer' },
  }) as unknown as RequestContext;

/**
 * An error by the path of the null that it causes, with its code if it belongs to exactly this field. If several errors cause one
 * null, an engine may report any of them.
 */
function noted(error: GraphQLError, data: unknown): string {
  const path = error.path ?? [];
  let value = data;
  let depth = 0;
  for (; depth < path.length && value !== null && value !== undefined; depth++)
    value = (value as Record<string | number, unknown>)[path[depth]!];
  const code = depth === path.length ? appErrorOf(error).code : 'of a field inside';
  return `${path.slice(0, depth).join('.')}: ${code}`;
}
