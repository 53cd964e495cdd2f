import { type DocumentNode, getOperationAST, OperationTypeNode, parse } from 'graphql';
import { AppError } from '../../core/errors.js';
import { DOCUMENT_LIMITS } from './size.js';

/** What a request for a stream of events asks. */
export interface StreamRequest {
  query: string;
  operationName?: string | undefined;
  variables?: Record<string, unknown> | undefined;
}

/** Of the body of a request. Errors: MALFORMED_REQUEST, which names the field. */
export function streamRequestOf(body: unknown): StreamRequest {
  if (!isObject(body)) throw malformed('Send one operation as a JSON object.');
  const { query, operationName, variables } = body;
  if (typeof query !== 'string') throw malformed('query: must be the text of a document.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') throw malformed('operationName: must be text.');
  if (!isAbsent(variables) && !isObject(variables)) throw malformed('variables: must be an object.');
  return { query, operationName: operationName ?? undefined, variables: variables ?? {} };
}

/** Whether the operation that a body asks for is a subscription, as far as it can be read: nothing has judged it yet. */
export function asksForSubscription(body: unknown): boolean {
  if (!isObject(body) || typeof body.query !== 'string' || !/\bsubscription\b/.test(body.query)) return false;
  const { query, operationName } = body;
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch {
    return false;
  }
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  return operation?.operation === OperationTypeNode.SUBSCRIPTION;
}

const malformed = (message: string): AppError => new AppError('MALFORMED_REQUEST', { message });
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
