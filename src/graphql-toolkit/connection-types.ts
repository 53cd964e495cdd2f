import 'reflect-metadata';

import { type ClassType, Field, ObjectType } from 'type-graphql';
import type { Page } from './connection.js';
import { Output } from './graphql-types.js';

@Output({ description: 'Position in a list that is read page by page.' })
class PageInfo {
  @Field({ description: 'There are more entries after this page.' })
  hasNextPage!: boolean;

  @Field({ description: 'There are entries before this page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Pass it as `before` to read the page before, where the list goes backwards.',
  })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Pass it as `after` to read the next page.' })
  endCursor!: string | null;
}

/** How the documents call one entry and many of them, and its position. */
interface EntryWords {
  one: string;
  many?: string;
  edge?: string;
  cursor?: string;
}

/**
 * What the page type of a list extends: the entries with their positions, as `pageOf` makes them.
 *
 * @param name of its types: `Lead` makes `LeadEdge`, for the base of `LeadConnection`
 */
export function connectionOf<Node extends object>(
  name: string,
  node: ClassType<Node>,
  { one, many = `${one}s`, edge = `${an(one)} with its position.`, cursor = `Position of the ${one}.` }: EntryWords,
): ClassType<Page<Node>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: edge })
  class Edge {
    @Field({ description: cursor })
    cursor!: string;

    @Field(() => node, { description: `The ${one}.` })
    node!: Node;
  }

  // nothing names it, so no schema has it: its fields are those of the class that extends it
  @ObjectType(`${name}Page`, { simpleResolvers: true })
  class Connection {
    @Field(() => [Edge], { description: `The ${many}.` })
    edges!: Edge[];

    @Field(() => [node], { description: `The ${many}, without cursors.` })
    nodes!: Node[];

    @Field(() => PageInfo, { description: 'Whether there are more.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}

const an = (word: string): string => `${/^[aeiou]/.test(word) ? 'An' : 'A'} ${word}`;
