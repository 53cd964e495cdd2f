import { printSchemaWithDirectives } from '@graphql-tools/utils';
import { type GraphQLSchema, lexicographicSortSchema } from 'graphql';

/** A schema as text, sorted, with the rate limits of its fields: what hosts serve and what the files of this repository hold. */
export const sdlOf = (schema: GraphQLSchema): string =>
  `${printSchemaWithDirectives(lexicographicSortSchema(schema)).trim()}\n`;
