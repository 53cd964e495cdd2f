import {
  type ASTVisitor,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import type { Host } from '../core/environment.js';
import { policy } from './policy.js';

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
      const hosts = context.getFieldDef() || !type ? undefined : hostsOf(type, field);
      if (!hosts) return specified.Field(node);
      const message = `Cannot query field "${field}" on type "${type}": ${served(hosts)}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** A field may be called `constructor`. */
function hostsOf(type: string, field: string): readonly Host[] | undefined {
  const rows = Object.hasOwn(policy, type) ? policy[type]! : {};
  return Object.hasOwn(rows, field) ? rows[field]!.hosts : undefined;
}

const served = (hosts: readonly Host[]): string =>
  hosts.length === 1 ? `the ${hosts[0]} host serves it` : `the ${hosts.join(' and ')} hosts serve it`;
