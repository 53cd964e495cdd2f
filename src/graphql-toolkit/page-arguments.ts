import { ArgsType, Field, Int } from 'type-graphql';
import { BOTH_ENDS, keyIn, MAX_PAGE, NO_CURSOR, type PageRequest } from './connection.js';
import { Agrees, Range } from './rules.js';

@ArgsType()
export class PageArguments implements PageRequest {
  @Field(() => Int, { nullable: true, description: 'Number of entries per page, 1 to 200. Default: 20.' })
  @Range(1, MAX_PAGE)
  first?: number;

  @Field(() => String, { nullable: true, description: '`endCursor` of the previous page.' })
  after?: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Number of entries per page, 1 to 200, read from the end of the list.',
  })
  @Range(1, MAX_PAGE)
  @Agrees<PageArguments>(({ first, last }) => first == null || last == null, BOTH_ENDS)
  last?: number;

  @Field(() => String, { nullable: true, description: '`startCursor` of the following page.' })
  before?: string;
}

/**
 * Validates that the cursors belong to this list. `sliceOf` validates this as well, but only when the list is read. If the list
 * is nested in a call with a fee, that would be after the call, so such a list uses this rule.
 *
 * @param key format of the keys of the list
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
