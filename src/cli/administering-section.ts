import type { GraphQLSchema } from 'graphql';
import { mutationOf, type StaffExample, staffExamples } from '../http/docs/staff-examples.js';
import { withSection } from './generated-file.js';

/** Inserts the examples of staff operations between the markers of the page. Throws if an example has an unknown mutation. */
export function withStaffExamples(page: string, console: GraphQLSchema): string {
  const mutations = console.getMutationType()!.getFields();
  const exampleText = (example: StaffExample): string => {
    const name = mutationOf(example);
    if (!mutations[name]) throw new Error(`The console has no mutation ${name}.`);
    return `${example.purpose}\n\n\`\`\`graphql\nmutation { ${example.operation} }\n\`\`\``;
  };
  const parts = Object.entries(staffExamples).map(
    ([title, examples]) => `### ${title}\n\n${examples.map(exampleText).join('\n\n')}`,
  );
  return withSection(page, 'examples', parts.join('\n\n'));
}
