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

const UNREADABLE: AskedByGet = { schemaOnly: false, free: false };

/** Errors: INVALID_DOCUMENT when it is over a limit, whatever it asks for. */
export function askedByGet(source: string, operationName: unknown): AskedByGet {
  const document = readable(source);
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
      rootFieldNodes(document, operation).every(({ name }) => !mayCost(name.value)),
  };
}

/** By the policy table: what needs a service has a fee that an admin sets. What nobody serves is refused as everywhere. */
function mayCost(field: string): boolean {
  const queries = policies.api.Query!;
  const access = Object.hasOwn(queries, field) ? queries[field]!.access : undefined;
  return access?.kind === 'token' && access.service !== undefined;
}

/** Whether a request has the hash of a document in place of the document. */
export const hasOnlyHash = (query: unknown, extensions: unknown): boolean =>
  !query && isObject(extensions) && Boolean(extensions.persistedQuery);

/** What a request for a stream of events asks. */
export interface StreamRequest {
  /** Undefined where the request has only the hash of a document. */
  query: string | undefined;
  operationName?: string | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Of the body of a request. Errors: MALFORMED_REQUEST, which names the field. */
export function streamRequestOf(body: unknown): StreamRequest {
  if (!isObject(body)) throw malformed('Send one operation as a JSON object.');
  const { query, operationName, variables, extensions } = body;
  const onlyHash = hasOnlyHash(query, extensions);
  if (!onlyHash && typeof query !== 'string') throw malformed('query: must be the text of a document.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') throw malformed('operationName: must be text.');
  if (!isAbsent(variables) && !isObject(variables)) throw malformed('variables: must be an object.');
  return {
    query: onlyHash ? undefined : (query as string),
    operationName: operationName ?? undefined,
    variables: variables ?? {},
  };
}

/** Whether the operation that a body asks for is a subscription, as far as it can be read: nothing has judged it yet. */
export function asksForSubscription(body: unknown): boolean {
  if (!isObject(body) || typeof body.query !== 'string' || !/\bsubscription\b/.test(body.query)) return false;
  const { query, operationName } = body;
  const document = readable(query);
  return document !== undefined && operationIn(document, operationName)?.operation === OperationTypeNode.SUBSCRIPTION;
}

/** Undefined when it does not parse: it is refused for that later. */
function readable(source: string): DocumentNode | undefined {
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
