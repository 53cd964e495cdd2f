import type { GraphQLOutputType, SelectionSetNode } from 'graphql';
import { AppError } from '../../core/errors.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import type { RestAnswer, RestRoute } from '../route.js';
import { trySamples } from './samples.js';
import { merged, shapeOf, withNullApart } from './shapes.js';

/** A way in which a path answers 200. */
export interface SuccessAnswer {
  /** What `status` says; undefined where the body is a bare object. */
  word: string | undefined;
  schema: JsonSchema;
  /** It says when to ask again. */
  hasRetryAfter: boolean;
}

/** Of the envelope itself; the keys of `data` are described by the schema. */
const MESSAGE: JsonSchema = { type: 'string', description: 'Human-readable text.' };

/** In the order in which an order gets there. */
const WORDS = ['success', 'pending', 'failed'];

const found = new WeakMap<RestRoute, SuccessAnswer[]>();

/**
 * The shapes of the answers of a path, one for each word of `status`. They are found by giving its envelope made-up results: so
 * they are what the envelope makes, whatever the documents of the row say. The types of a route are the code's own, the same for every host, so once is enough.
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

/** Undefined for a result that never comes, or that is a failure. */
function tryAnswer({ path, answer, codes }: RestRoute, result: unknown): RestAnswer | undefined {
  try {
    return answer(result as never, { replayed: false });
  } catch (error) {
    if (error instanceof AppError && !codes.includes(error.code))
      throw new Error(`${path} returns ${error.code}, which is not in the codes of its route.`, { cause: error });
    // the row knows that what is null here never is
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
