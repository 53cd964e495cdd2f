import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { AppError } from '../../core/errors.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import type { RestRoute, RouteResponse } from '../route.js';
import { trySamples } from './samples.js';
import { merged, shapeOf, withNullApart } from './shapes.js';

/** Variant of the 200 response of a path. */
export interface SuccessAnswer {
  /** Value of `status`; undefined if the body has no envelope. */
  word: string | undefined;
  schema: JsonSchema;
  /** Whether the response has a Retry-After header. */
  hasRetryAfter: boolean;
}

/** Schema of the `message` of the envelope. The schema describes the keys of `data`. */
const MESSAGE: JsonSchema = { type: 'string', description: 'Human-readable text.' };

/** Sort order of the variants. */
const WORDS = ['success', 'pending', 'failed'];

const found = new WeakMap<RestRoute, SuccessAnswer[]>();

/**
 * Returns the success responses of a path, one for each value of `status`. They are derived by calling the envelope of the route
 * with sample results, so they always match the code. The types of a route are the same on every host, so the result is computed
 * once.
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

/** Calls the envelope. Returns undefined for a result that cannot occur, or that is an error. */
function tryAnswer({ path, toResponse, codes }: RestRoute, result: unknown): RouteResponse | undefined {
  try {
    return toResponse(result as never, { replayed: false });
  } catch (error) {
    if (error instanceof AppError && !codes.includes(error.code))
      throw new Error(`${path} returns ${error.code}, which is not in the codes of its route.`, { cause: error });
    // the sample has a null where the route relies on a value
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
