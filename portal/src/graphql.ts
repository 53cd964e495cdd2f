import { gql, type TypedDocumentNode } from 'urql';
import type { Documents } from './generated/documents.js';

/**
 * A document of the portal, with the types of what it takes and gives. They are found by its text: a text that is new or changed
 * compiles once `npm run generate` has seen it.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => gql(text);
