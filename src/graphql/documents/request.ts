import { type DocumentNode, getOperationAST, Kind, OperationTypeNode, parse } from 'graphql';
import { AppError } from '../../core/errors.js';
import { policies } from '../schema/policy.js';
import { rootFieldNodes } from './fields.js';
import { DOCUMENT_LIMITS, measureDocument } from './size.js';

/** What a document that came by GET asks for. A link or an image on any page can send a GET: it must never cost anything. */
export interface AskedByGet {
  /** Nothing but `__schema`, `__type` and `__typename`. */
  schemaOnly: boolean;
  /** The operation is a query without a field that may have a fee, in any environment. */
  free: boolean;
}

const NOTHING: AskedByGet = { schemaOnly: false, free: false };

/** Errors: INVALID_DOCUMENT when it is over a limit, whatever it asks for. */
export function askedByGet(source: string, operationName: unknown): AskedByGet {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch {
    return NOTHING;
  }
  const { problem: message } = measureDocument(document);
  if (message) throw new AppError('INVALID_DOCUMENT', { message });
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  return {
    schemaOnly: document.definitions.every(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ||
        (definition.kind === Kind.OPERATION_DEFINITION &&
          definition.operation === OperationTypeNode.QUERY &&
          rootFieldNodes(document, definition).every(({ name }) => name.value.startsWith('__'))),
    ),
    free:
      operation?.operation === OperationTypeNode.QUERY &&
      rootFieldNodes(document, operation).every(({ name }) => !mayCost(name.value)),
  };
}

/** By the policy table: what needs a service has a fee that an admin sets. What nobody serves is refused as everywhere. */
function mayCost(field: string): boolean {
  const queries = policies.api.Query!;
  const access = Object.hasOwn(queries, field) ? queries[field]!.access : undefined;
  return access?.kind === 'token' && access.service !== undefined;
}
