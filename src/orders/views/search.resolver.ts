import { ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import type { AccountSearch, Found } from '../../accounts/account.search.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { decimalText } from '../../core/money.js';
import { Arguments } from '../../graphql-toolkit/arguments.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { type FoundNode, Node } from '../../graphql-toolkit/node.js';
import { Entries } from '../../graphql-toolkit/rows.js';
import { Pattern } from '../../graphql-toolkit/rules.js';
import type { OrderStore } from '../order.store.js';
import { maskingFor, orderView } from './order.view.js';
import type { OrderList } from './order-list.js';

const MAX_PER_KIND = 5;

@ArgsType()
class SearchArguments {
  @Field(() => String, {
    description:
      'Search text. Matches prefixes of words in names and email addresses (all words must match), or an exact value: recharged number (mobile or DTH), account number, ID or client ID of a developer, order reference, or request ID of a call in `lastRejectedCalls`.',
  })
  @Pattern(/^(?=\P{Cc}{2,100}$)\s*\S.*\S\s*$/u, 'Must be 2 to 100 printable characters.', {
    rule: 'TEXT',
    max: 100,
  })
  text!: string;
}

@Output({ description: 'A search result.' })
class SearchHit {
  @Field(() => Node, { description: 'Developer, order or user that was found.' })
  node!: FoundNode;

  @Field({ description: 'Title of the result: a name, or the `api_request_id` of an order.' })
  title!: string;

  @Field({
    description: 'Detail that distinguishes the result from others: an email address, or a summary of the order.',
  })
  detail!: string;

  @Field({ description: 'Text that matched the search.' })
  matchedText!: string;
}

/**
 * Format of a text that can be an order reference. Any other text would be searched in a large number of idempotency keys
 * without a match.
 */
const MAY_BE_REFERENCE = /^(?!(?!ord_|oct_)[a-z]{3}_)(?=.*\d)\S{4,}$/;

/** Resolver for the search across everything that staff know by name or number. */
@Resolver()
export class SearchResolver {
  constructor(
    private readonly accounts: AccountSearch,
    private readonly list: OrderList,
    private readonly store: OrderStore,
  ) {}

  @Query(() => [SearchHit], {
    nullable: true,
    description: `Searches developers, orders and users, at most ${MAX_PER_KIND} of each, newest first. KYC reviewers find only developers.`,
  })
  @Entries(3 * MAX_PER_KIND)
  async search(
    @Arguments(SearchArguments) { text: input }: SearchArguments,
    @Ctx() context: RequestContext,
  ): Promise<SearchHit[]> {
    const text = input.trim();
    const isReviewer = sessionOf(context).role === 'reviewer';
    const [developers, orders, users] = await Promise.all([
      this.accounts.developers(text, MAX_PER_KIND),
      isReviewer ? [] : this.#orders(text, context),
      isReviewer ? [] : this.accounts.users(text, MAX_PER_KIND),
    ]);
    return [
      ...developers.map((found) => hitOf('Developer', found)),
      ...orders,
      ...users.map((found) => hitOf('User', found)),
    ];
  }

  async #orders(text: string, context: RequestContext): Promise<SearchHit[]> {
    if (!MAY_BE_REFERENCE.test(text)) return [];
    const { nodes } = await this.list.page({}, { reference: text }, { first: MAX_PER_KIND });
    const masking = maskingFor(context);
    return nodes.map((order) => {
      const view = orderView(order, this.store, masking);
      const details = [view.kind, `₹${decimalText(order.amountPaise)}`, view.status, order.environment];
      return {
        node: { ...view, nodeType: 'Order' },
        title: order.reference,
        detail: details.join(' · ').replace('_', ' '),
        matchedText: text,
      };
    });
  }
}

const hitOf = (nodeType: string, { thing, matched }: Found<{ name: string; email: string }>): SearchHit => ({
  node: { ...thing, nodeType },
  title: thing.name,
  detail: thing.email,
  matchedText: matched,
});
