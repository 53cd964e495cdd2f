import 'reflect-metadata';

import { type ClassType, Field, ObjectType } from 'type-graphql';
import type { Page } from './connection.js';
import { Output } from './graphql-types.js';

@Output({ description: 'Cursors of a page, and whether there are more pages.' })
class PageInfo {
  @Field({ description: 'Whether there are more entries after this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'Whether there are more entries before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Cursor of the first entry. Pass it as `before` to read the previous page, if the list supports `before`.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last entry. Pass it as `after` to read the next page.',
  })
  endCursor!: string | null;
}

/** Words for descriptions: one entry, several entries, an edge and a cursor. */
interface EntryWords {
  singular: string;
  plural?: string;
  edge?: string;
  cursor?: string;
}

/**
 * Creates the base class of the connection type of a list: the entries with their cursors, as `pageOf` returns them.
 * @param name prefix of the types: `Lead` creates `LeadEdge` and the base of `LeadConnection`
 */
export function connectionOf<Node extends object>(
  name: string,
  node: ClassType<Node>,
  {
    singular,
    plural = `${singular}s`,
    edge = `${an(singular)} and its pagination cursor.`,
    cursor = `Pagination cursor of the ${singular}.`,
  }: EntryWords,
): ClassType<Page<Node>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: edge })
  class Edge {
    @Field({ description: cursor })
    cursor!: string;

    @Field(() => node, { description: `The ${singular}.` })
    node!: Node;
  }

  // the schema never references this type, because only the class that extends it adds these fields
  @ObjectType(`${name}Page`, { simpleResolvers: true })
  class Connection {
    @Field(() => [Edge], { description: `The ${plural}.` })
    edges!: Edge[];

    @Field(() => [node], { description: `The ${plural}, without cursors.` })
    nodes!: Node[];

    @Field(() => PageInfo, { description: 'Cursors of the page, and whether there are more pages.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}

const an = (word: string): string => `${/^[aeiou]/.test(word) ? 'An' : 'A'} ${word}`;
