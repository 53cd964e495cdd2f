import { ArgsType, Field, Int } from 'type-graphql';
import type { PageRequest } from './connection.js';

/** The arguments of every connection. Their values are judged by `sliceOf`, which knows the list. */
@ArgsType()
export class PageArguments implements PageRequest {
  @Field(() => Int, { nullable: true, description: 'Entries of the page, 1 to 200; 20 without a number.' })
  first?: number;

  @Field(() => String, { nullable: true, description: 'endCursor of the page before this one.' })
  after?: string;

  @Field(() => Int, { nullable: true, description: 'Entries of the page, counted from its end, 1 to 200.' })
  last?: number;

  @Field(() => String, { nullable: true, description: 'startCursor of the page after this one.' })
  before?: string;
}
