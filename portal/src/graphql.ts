import { gql, type TypedDocumentNode } from 'urql';
import type { Documents } from './generated/documents.js';

/**
 * Returns a GraphQL document with the types of its variables and result. The types are found by the text of the document, so run
 * `npm run generate` after a change.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => gql(text);
