import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { parse } from 'graphql';
import type { Documents } from './generated/documents.js';

/**
 * The document of a route, with the types of what it takes and gives. They are found by its text: a text that is new or changed
 * compiles once `npm run codegen` has seen it.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => parse(text);
