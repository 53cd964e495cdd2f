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

const OF_EACH_KIND = 5;

@ArgsType()
class SearchArguments {
  @Field(() => String, {
    description:
      'Beginnings of words of a name or an email address, all of which must match. Or a complete value: the recharged number (mobile or DTH), the account number, ID or client ID of a developer, a reference of an order, or the request ID of a call in `lastRejectedCalls`.',
  })
  @Pattern(/^(?=\P{Cc}{2,100}$)\s*\S.*\S\s*$/u, 'Must be 2 to 100 characters of printable text.', {
    rule: 'TEXT',
    max: 100,
  })
  text!: string;
}

@Output({ description: 'Something that was found.' })
class SearchHit {
  @Field(() => Node, { description: 'What it is: a developer, an order or a user.' })
  node!: FoundNode;

  @Field({ description: 'What it is called: a name, or our request id of an order.' })
  title!: string;

  @Field({ description: 'What distinguishes it from others: an address, or what an order is about.' })
  detail!: string;

  @Field({ description: 'The text that the words were found in.' })
  matchedText!: string;
}

/** What might be a reference of an order. Everything else would be looked for among the keys of all developers in vain. */
const MAY_BE_REFERENCE = /^(?!(?!ord_|oct_)[a-z]{3}_)(?=.*\d)\S{4,}$/;

/** One box for everything that staff have a name or a number of. */
@Resolver()
export class SearchResolver {
  constructor(
    private readonly accounts: AccountSearch,
    private readonly list: OrderList,
    private readonly store: OrderStore,
  ) {}

  @Query(() => [SearchHit], {
    nullable: true,
    description: `Developers, orders and users that this may mean, at most ${OF_EACH_KIND} of each, the newest first. Who reviews KYC finds developers alone.`,
  })
  @Entries(3 * OF_EACH_KIND)
  async search(
    @Arguments(SearchArguments) { text: given }: SearchArguments,
    @Ctx() context: RequestContext,
  ): Promise<SearchHit[]> {
    const text = given.trim();
    const isReviewer = sessionOf(context).role === 'reviewer';
    const [developers, orders, users] = await Promise.all([
      this.accounts.developers(text, OF_EACH_KIND),
      isReviewer ? [] : this.#orders(text, context),
      isReviewer ? [] : this.accounts.users(text, OF_EACH_KIND),
    ]);
    return [
      ...developers.map((found) => hitOf('Developer', found)),
      ...orders,
      ...users.map((found) => hitOf('User', found)),
    ];
  }

  async #orders(text: string, context: RequestContext): Promise<SearchHit[]> {
    if (!MAY_BE_REFERENCE.test(text)) return [];
    const { nodes } = await this.list.page({}, { reference: text }, { first: OF_EACH_KIND });
    const masking = maskingFor(context);
    return nodes.map((order) => {
      const view = orderView(order, this.store, masking);
      const said = [view.kind, `₹${decimalText(order.amountPaise)}`, view.status, order.environment];
      return {
        node: { ...view, nodeType: 'Order' },
        title: order.reference,
        detail: said.join(' · ').replace('_', ' '),
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
