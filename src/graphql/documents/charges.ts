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

/** Returns whether using the field can cost money. */
export const canCharge = (row: PolicyRow | undefined): boolean => row?.fee === true || row?.money === true;

/** Possible charges of an operation. */
export interface Charges {
  /** Number of charged calls in each root field with a fee, keyed by its response key. */
  calls: ReadonlyMap<string, number>;
  /**
   * Problems with invalid arguments below each root field that can charge, keyed by its response key. A root field with problems
   * is rejected before it runs. Otherwise the caller would be charged, and an error below the field could remove the whole
   * response, including the fee.
   */
  problems: ReadonlyMap<string, FieldProblem[]>;
  /** Whether the result is independent of the variables. */
  fixed: boolean;
}

/** Evaluates the operation with the given variables. Excludes fields that are skipped by a condition. */
export function chargesOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Charges {
  const fragments = fragmentsOf(document);
  const requestVariables = new RequestVariables(operation, variables);
  const calls = new Map<string, number>();
  const problems = new Map<string, FieldProblem[]>();
  let fixed = true;

  const fieldsOf = (set: SelectionSetNode, type: GraphQLNamedType | undefined) =>
    fieldsIn([set], fragments, (selection) => {
      if (selection.directives?.length) fixed = false;
      return isIncluded(selection, requestVariables);
    }).map(({ node, typeName }) => ({
      node,
      type: typeName === undefined ? type : schema.getType(typeName),
    }));
  const visitFields = (
    key: string,
    set: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    isRoot: boolean,
  ): void => {
    for (const { node, type: parent } of fieldsOf(set, type)) {
      const field = fieldOf(parent, node);
      if (!field) continue;
      if (isRoot && policyOf(parent as GraphQLObjectType, node.name.value)?.fee)
        nested.get(key)!.add(responseName(node));
      if (field.args.length > 0) {
        fixed = false;
        const found = argumentProblems(node, field, requestVariables);
        if (found.length > 0) problems.set(key, [...(problems.get(key) ?? []), ...found]);
      }
      if (node.selectionSet) visitFields(key, node.selectionSet, getNamedType(field.type), false);
    }
  };

  const nested = new Map<string, Set<string>>();
  const root = schema.getRootType(operation.operation) ?? undefined;
  for (const { node, type } of fieldsOf(operation.selectionSet, root)) {
    const row = policyOf(type as GraphQLObjectType, node.name.value);
    if (!canCharge(row)) continue;
    const key = responseName(node);
    if (!nested.has(key)) nested.set(key, new Set());
    if (node.selectionSet) visitFields(key, node.selectionSet, getNamedType(fieldOf(type, node)!.type), true);
    if (row!.fee) calls.set(key, nested.get(key)!.size);
  }
  return { calls, problems, fixed };
}

const fieldOf = (type: GraphQLNamedType | undefined, { name }: FieldNode) => {
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  return Object.hasOwn(fields, name.value) ? fields[name.value] : undefined;
};

/**
 * Returns the policy row of each field on the path to a response field, starting with the root field. The entry is undefined for
 * fields without a row.
 */
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
 * Returns whether the caller was, or may have been, charged for a failed field and not refunded. If the failed field is itself a
 * call that can charge, its error contains this information. For nested fields, the result is based on the charged calls of the
 * request, because the failure may have removed the fee from the response.
 * @param rows policy rows of the fields on the path, ending with the failed field
 */
export function wasCharged(error: AppError, rows: readonly (PolicyRow | undefined)[], notes?: RequestNotes): boolean {
  if (canCharge(rows.at(-1))) return error.charged;
  const call = rows.findLast(canCharge);
  if (!call) return false;
  const { payment, hasKeptMoney = true } = notes ?? {};
  if (!call.money) return hasKeptMoney;
  return !payment || (!payment.replayed && payment.status !== 'failed' && payment.status !== 'reversed');
}
