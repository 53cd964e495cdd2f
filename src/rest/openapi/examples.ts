import type { Environment } from '../../core/environment.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import answers from '../generated/answers.json' with { type: 'json' };

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const BASE_URL = '{baseUrl}';

/** The answers that a test got to the examples of an operation, by the word of their `status`; nothing where it has none yet. */
export function answerExamples(operation: string, environment: Environment, baseUrl: string): JsonSchema {
  const shown = (answers[environment] as Answers)[operation];
  if (!shown) return {};
  const examples = Object.entries(shown).map(([word, body]) => [
    word,
    { value: JSON.parse(JSON.stringify(body).replaceAll(BASE_URL, baseUrl)) as unknown },
  ]);
  return { examples: Object.fromEntries(examples) };
}
