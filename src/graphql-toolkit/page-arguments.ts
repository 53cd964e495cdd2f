import { ArgsType, Field, Int } from 'type-graphql';
import { BOTH_ENDS, keyIn, MAX_PAGE, NO_CURSOR, type PageRequest } from './connection.js';
import { Agrees, Range } from './rules.js';

/** The arguments of every connection. */
@ArgsType()
export class PageArguments implements PageRequest {
  @Field(() => Int, { nullable: true, description: 'Entries of the page, 1 to 200; 20 without a number.' })
  @Range(1, MAX_PAGE)
  first?: number;

  @Field(() => String, { nullable: true, description: 'endCursor of the page before this one.' })
  after?: string;

  @Field(() => Int, { nullable: true, description: 'Entries of the page, counted from its end, 1 to 200.' })
  @Range(1, MAX_PAGE)
  @Agrees<PageArguments>(({ first, last }) => first == null || last == null, BOTH_ENDS)
  last?: number;

  @Field(() => String, { nullable: true, description: 'startCursor of the page after this one.' })
  before?: string;
}

/**
 * The cursors of the page are of this list. `sliceOf` refuses others too, but only when the list is read: of one that lies below a
 * call with a fee that is after the call, so such a list has this rule.
 *
 * @param key what a key of the list looks like
 */
export const CursorsOf =
  (list: string, key: RegExp): ClassDecorator =>
  ({ prototype }) => {
    for (const name of ['after', 'before'] as const)
      Agrees<PageArguments>(
        ({ [name]: cursor }) => !cursor || keyIn(list, cursor, key) !== undefined,
        NO_CURSOR,
        'REFERENCE',
      )(prototype as object, name);
  };
