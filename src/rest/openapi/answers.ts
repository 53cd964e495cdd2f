import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { AppError } from '../../core/errors.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import type { RestAnswer, RestRoute } from '../route.js';
import { trySamples } from './samples.js';
import { merged, shapeOf, withNullApart } from './shapes.js';

/** A successful (200) response of a path. */
export interface SuccessAnswer {
  /** Value of `status`; undefined if the body has no envelope. */
  word: string | undefined;
  schema: JsonSchema;
  /** Whether the response has a Retry-After header. */
  hasRetryAfter: boolean;
}

/** The schema describes only the keys of `data`; `message` is part of the envelope. */
const MESSAGE: JsonSchema = { type: 'string', description: 'Human-readable text.' };

/** Values of `status`, in the order in which an order can have them. */
const WORDS = ['success', 'pending', 'failed'];

const found = new WeakMap<RestRoute, SuccessAnswer[]>();

/**
 * Response shapes of a path, one per value of `status`. Each is the output of the envelope for sample results, so the shapes
 * always match the actual responses. The types of a route are the same on every host, so the shapes are computed once.
 */
export function answersOf(route: RestRoute, type: GraphQLOutputType, selected: SelectionSetNode): SuccessAnswer[] {
  let answers = found.get(route);
  if (!answers) found.set(route, (answers = tried(route, type, selected)));
  return answers;
}

function tried(route: RestRoute, type: GraphQLOutputType, selected: SelectionSetNode): SuccessAnswer[] {
  const answers = new Map<string | undefined, SuccessAnswer>();
  trySamples(type, selected, ({ result, leaves }) => {
    const answer = tryAnswer(route, result);
    if (answer === undefined) return false;
    const word = typeof answer.body.status === 'string' ? answer.body.status : undefined;
    const earlier = answers.get(word);
    const shape = shapeOf(answer.body, leaves);
    answers.set(word, {
      word,
      schema: earlier ? merged(earlier.schema, shape) : shape,
      hasRetryAfter: answer.retryAfterS !== undefined,
    });
    return true;
  });
  return [...answers.values()]
    .toSorted((one, other) => WORDS.indexOf(one.word ?? '') - WORDS.indexOf(other.word ?? ''))
    .map((answer) => ({ ...answer, schema: withNullApart(withEnvelope(answer)) }));
}

/** Undefined for a sample result that cannot occur or that represents a failure. */
function tryAnswer({ path, answer, codes }: RestRoute, result: unknown): RestAnswer | undefined {
  try {
    return answer(result as never, { replayed: false });
  } catch (error) {
    if (error instanceof AppError && !codes.includes(error.code))
      throw new Error(`${path} returns ${error.code}, which is not in the codes of its route.`, { cause: error });
    // the envelope relies on values that are never null, although the type allows null
    if (error instanceof AppError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function withEnvelope({ word, schema }: SuccessAnswer): JsonSchema {
  if (word === undefined) return schema;
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>).map(([key, shape]) => [
    key,
    key === 'status' ? { type: 'string', const: word } : key === 'message' ? MESSAGE : shape,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
