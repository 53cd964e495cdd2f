import {
  type ASTVisitor,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { type Host, hosts, surfaceOf } from '../../core/environment.js';
import { policies } from '../schema/policy.js';

/** The rules of documents. A host that answers questions about its schema also says which other host serves a field. */
export const documentRules = (introspection: boolean): readonly ValidationRule[] =>
  introspection
    ? specifiedRules.map((rule) => (rule === FieldsOnCorrectTypeRule ? FieldsOfHostRule : rule))
    : specifiedRules;

/** The specified rule about unknown fields; of a field that other hosts have it says that instead. */
function FieldsOfHostRule(context: ValidationContext): ASTVisitor {
  const specified = FieldsOnCorrectTypeRule(context) as { Field: (node: unknown) => void };
  return {
    Field(node) {
      const type = context.getParentType()?.name;
      const field = node.name.value;
      const serving = context.getFieldDef() || !type ? undefined : hostsOf(type, field);
      if (!serving) return specified.Field(node);
      const message = `Cannot query field "${field}" on type "${type}": ${served(serving)}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** A field may be called `constructor`. */
function hostsOf(type: string, field: string): readonly Host[] | undefined {
  const serving = hosts.filter((host) => {
    const table = policies[surfaceOf(host)];
    return Object.hasOwn(table, type) && Object.hasOwn(table[type]!, field);
  });
  return serving.length > 0 ? serving : undefined;
}

const served = (by: readonly Host[]): string =>
  by.length === 1 ? `the ${by[0]} host serves it` : `the ${by.join(' and ')} hosts serve it`;
