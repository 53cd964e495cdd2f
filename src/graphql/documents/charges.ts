import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { AppError, FieldProblem } from '../../core/errors.js';
import type { RequestNotes } from '../../core/scope.js';
import { RequestVariables } from '../../graphql-toolkit/document-value.js';
import { type PolicyRow, policyOf } from '../schema/policy.js';
import { fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';
import { argumentProblems } from './values.js';

/** A use of the field may cost money. */
export const canCharge = (row: PolicyRow | undefined): boolean => row?.fee === true || row?.money === true;

/** What an operation may charge. */
export interface Charges {
  /** Of each root field with a fee, by its key in the answer: the calls with a fee that lie inside it. */
  calls: ReadonlyMap<string, number>;
  /**
   * The wrong arguments below each root field that may charge, by its key: it is refused for them before it runs. Else it would be
   * charged, and a refusal below it might take the whole answer away, its fee included.
   */
  problems: ReadonlyMap<string, FieldProblem[]>;
  /** The same whatever the variables hold. */
  fixed: boolean;
}

/** Reads the operation as it runs with these variables: fields that a condition leaves out count for nothing. */
export function chargesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Charges {
  const fragments = fragmentsOf(document);
  const given = new RequestVariables(operation, variables);
  const calls = new Map<string, number>();
  const problems = new Map<string, FieldProblem[]>();
  let fixed = true;

  const fieldsOf = (set: SelectionSetNode, type: GraphQLNamedType | undefined) =>
    fieldsIn([set], fragments, (selection) => {
      if (selection.directives?.length) fixed = false;
      return isIncluded(selection, given);
    }).map(({ node, on }) => ({ node, type: on === undefined ? type : schema.getType(on) }));
  const below = (key: string, set: SelectionSetNode, type: GraphQLNamedType | undefined, isRoot: boolean): void => {
    for (const { node, type: parent } of fieldsOf(set, type)) {
      const field = fieldOf(parent, node);
      if (!field) continue;
      if (isRoot && policyOf(parent as GraphQLObjectType, node.name.value)?.fee)
        nested.get(key)!.add(responseName(node));
      if (field.args.length > 0) {
        fixed = false;
        const found = argumentProblems(node, field, given);
        if (found.length > 0) problems.set(key, [...(problems.get(key) ?? []), ...found]);
      }
      if (node.selectionSet) below(key, node.selectionSet, getNamedType(field.type), false);
    }
  };

  const nested = new Map<string, Set<string>>();
  const root = schema.getRootType(operation.operation) ?? undefined;
  for (const { node, type } of fieldsOf(operation.selectionSet, root)) {
    const row = policyOf(type as GraphQLObjectType, node.name.value);
    if (!canCharge(row)) continue;
    const key = responseName(node);
    if (!nested.has(key)) nested.set(key, new Set());
    if (node.selectionSet) below(key, node.selectionSet, getNamedType(fieldOf(type, node)!.type), true);
    if (row!.fee) calls.set(key, nested.get(key)!.size);
  }
  return { calls, problems, fixed };
}

const fieldOf = (type: GraphQLNamedType | undefined, { name }: FieldNode) => {
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  return Object.hasOwn(fields, name.value) ? fields[name.value] : undefined;
};

/** The policy of each field on the way to one of the answer, the root field first; undefined where a field has none. */
export function policiesAlong(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  nodes: readonly FieldNode[],
): (PolicyRow | undefined)[] {
  let type: GraphQLNamedType | undefined = schema.getRootType(operation.operation) ?? undefined;
  return nodes.map((node) => {
    const row = isObjectType(type) ? policyOf(type, node.name.value) : undefined;
    type = getNamedType(fieldOf(type, node)?.type) ?? undefined;
    return row;
  });
}

/**
 * Whether money was kept for a field that failed, or may have been: for a call that may charge its error says it; of what lies below
 * one, what the calls of the request came to, because the failure may have taken the fee out of the answer.
 *
 * @param rows the policies of the fields that lead to it, its own the last
 */
export function wasCharged(error: AppError, rows: readonly (PolicyRow | undefined)[], notes?: RequestNotes): boolean {
  if (canCharge(rows.at(-1))) return error.charged;
  const call = rows.findLast(canCharge);
  if (!call) return false;
  const { payment, hasKeptMoney = true } = notes ?? {};
  if (!call.money) return hasKeptMoney;
  return !payment || (!payment.replayed && payment.status !== 'failed' && payment.status !== 'reversed');
}
