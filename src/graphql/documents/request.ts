import { type DocumentNode, getOperationAST, Kind, OperationTypeNode, parse } from 'graphql';
import { AppError } from '../../core/errors.js';
import { policies } from '../schema/policy.js';
import { rootFieldNodes } from './fields.js';
import { DOCUMENT_LIMITS, measureDocument } from './size.js';

/**
 * Properties of a document sent with GET. Such requests must never cost anything, because a link or an image on any page can
 * cause them.
 */
export interface GetDocument {
  /** Whether the document contains only `__schema`, `__type` and `__typename`. */
  schemaOnly: boolean;
  /** Whether the operation is a query without a field that can have a fee in any environment. */
  free: boolean;
}

const UNREADABLE: GetDocument = { schemaOnly: false, free: false };

/** Returns the properties of a document. Throws INVALID_DOCUMENT if it exceeds a limit. */
export function inspectGetDocument(source: string, operationName: unknown): GetDocument {
  const document = tryParse(source);
  if (!document) return UNREADABLE;
  const { problem: message } = measureDocument(document);
  if (message) throw new AppError('INVALID_DOCUMENT', { message });
  const operation = operationIn(document, operationName);
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
      rootFieldNodes(document, operation).every(({ name }) => !canHaveFee(name.value)),
  };
}

/**
 * Returns whether a field can have a fee according to the policy table. An admin can set a fee for every field with a service.
 * Unknown fields are rejected elsewhere.
 */
function canHaveFee(field: string): boolean {
  const queries = policies.api.Query!;
  const access = Object.hasOwn(queries, field) ? queries[field]!.access : undefined;
  return access?.kind === 'token' && access.service !== undefined;
}

/** Returns whether a request contains the hash of a document instead of the document. */
export const hasOnlyHash = (query: unknown, extensions: unknown): boolean =>
  !query && isObject(extensions) && Boolean(extensions.persistedQuery);

/** Request for an event stream. */
export interface StreamRequest {
  /** Document, or undefined if the request contains only its hash. */
  query: string | undefined;
  operationName?: string | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Reads a stream request from a request body. Throws MALFORMED_REQUEST, which contains the name of the field. */
export function streamRequestOf(body: unknown): StreamRequest {
  if (!isObject(body)) throw malformed('Send one operation as a JSON object.');
  const { query, operationName, variables, extensions } = body;
  const onlyHash = hasOnlyHash(query, extensions);
  if (!onlyHash && typeof query !== 'string') throw malformed('query: Must be the text of a GraphQL document.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') throw malformed('operationName: Must be text.');
  if (!isAbsent(variables) && !isObject(variables)) throw malformed('variables: Must be an object.');
  return {
    query: onlyHash ? undefined : (query as string),
    operationName: operationName ?? undefined,
    variables: variables ?? {},
  };
}

/** Returns whether the requested operation of an unvalidated body is a subscription. Returns false if the body cannot be read. */
export function isSubscriptionRequest(body: unknown): boolean {
  if (!isObject(body) || typeof body.query !== 'string' || !/\bsubscription\b/.test(body.query)) return false;
  const { query, operationName } = body;
  const document = tryParse(query);
  return document !== undefined && operationIn(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

/** Parses a document. Returns undefined if the document cannot be parsed, because it is rejected later. */
function tryParse(source: string): DocumentNode | undefined {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch {
    return undefined;
  }
}

const operationIn = (document: DocumentNode, name: unknown) =>
  getOperationAST(document, typeof name === 'string' ? name : undefined);

const malformed = (message: string): AppError => new AppError('MALFORMED_REQUEST', { message });
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
