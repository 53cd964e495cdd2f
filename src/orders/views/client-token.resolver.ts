import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { ClientTokenService } from '../../accounts/keys/client-token.service.js';
import {
  ClientToken,
  ClientTokenConnection,
  ClientTokenScopeEnum,
  CreateClientTokenPayload,
  RevokeClientTokenInput,
  RevokeClientTokenPayload,
} from '../../accounts/keys/client-token.types.js';
import { developerOf, type RequestContext } from '../../core/context.js';
import { isUuid } from '../../core/ids.js';
import { type Paise, paise } from '../../core/money.js';
import type { ClientScope } from '../../core/principal.js';
import type { LoadNode } from '../../core/room.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import { Arguments } from '../../graphql-toolkit/arguments.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
import { Agrees, Distinct, Input, NonNegativeAmount, Range, Text } from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import type { OrderStore } from '../order.store.js';
import type { OrderKey, StoredOrder } from '../stored-order.js';
import type { NamedOrders } from './order.resolver.js';
import {
  hasKindWithKey,
  hasOneName,
  KEY_NEEDS_KIND,
  ONE_NAME,
  Order,
  type OrderKind,
  OrderKindEnum,
} from './order.types.js';
import { orderView } from './order.view.js';

const MAX_SPEND = paise(100_000);

@Input({ description: 'Which order: its id, our request id, or your own key with the kind.' })
export class OrderKeyInput {
  @Field(() => ID, { nullable: true, description: 'Its id.' })
  @Agrees<OrderKeyInput>(hasOneName, ONE_NAME)
  id?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;

  @Field(() => OrderKindEnum, { nullable: true, description: 'Which money call; your own key needs it.' })
  @Agrees<OrderKeyInput>(hasKindWithKey, KEY_NEEDS_KIND)
  kind?: OrderKind;

  @Field(() => String, { nullable: true, description: 'Your own key: client_request_id or orderid.' })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'A token for a browser or an app.' })
export class CreateClientTokenInput {
  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens. A wallet, a list or money: never.' })
  @Distinct(1, 3)
  scopes!: ClientScope[];

  @Field(() => ID, { nullable: true, description: 'The order of the scope ORDER, which needs one.' })
  @Agrees<CreateClientTokenInput>(
    ({ scopes, orderId, order }) =>
      !scopes || scopes.includes('order') === (orderId !== undefined || order !== undefined),
    'Must be there with the scope ORDER, and only with it; or `order` in its place.',
  )
  orderId?: string;

  @Field(() => OrderKeyInput, {
    nullable: true,
    description:
      'The same by another name of the order: with your own key it may stand after `recharge` in the same document.',
  })
  @Agrees<CreateClientTokenInput>(
    ({ orderId, order }) => orderId === undefined || order === undefined,
    'Name the order once: leave `orderId` or this one out.',
  )
  order?: OrderKeyInput;

  @Field(() => Int, { nullable: true, defaultValue: 900, description: 'How long it lives: 60 to 3,600 seconds.' })
  @Range(60, 3_600)
  expiresInSeconds!: number;

  @Field(() => Rupees, {
    nullable: true,
    defaultValue: paise(1_000),
    description: 'What the fees of its lookups may come to, up to 1,000.',
  })
  @NonNegativeAmount()
  @Agrees<CreateClientTokenInput>(
    ({ maxSpend }) => maxSpend === undefined || maxSpend <= MAX_SPEND,
    'Must be at most 1000.',
    {
      rule: 'RANGE',
      min: 0,
      max: 1_000,
    },
  )
  maxSpend!: Paise;
}

/** Servers exchange their token for one that a browser or an app may hold. It stands with the orders, because one may be its scope. */
@Resolver(() => ClientToken)
export class ClientTokenResolver {
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;

  constructor(
    private readonly tokens: ClientTokenService,
    private readonly named: NamedOrders,
    private readonly store: OrderStore,
  ) {
    this.#orders = batchedLoader((keys) => store.byIds(keys));
  }

  @Mutation(() => CreateClientTokenPayload, {
    nullable: true,
    description:
      'A short-lived token for a browser or an app, with a limit of its own and a cap on fees. It reads no wallet and no list, and moves no money. So many may live at once as ten times the limit of the account.',
  })
  async createClientToken(
    @Arg('input', () => CreateClientTokenInput, { description: 'What it may do.' }) input: CreateClientTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateClientTokenPayload> {
    const principal = developerOf(context);
    const { scopes, expiresInSeconds, maxSpend: maxSpendPaise } = input;
    const which = input.orderId === undefined ? input.order : { id: input.orderId };
    const orderId = which && (await this.named.find(which, context)).id;
    const request = { scopes, orderId, expiresInSeconds, maxSpendPaise };
    const { token, clientToken } = await this.tokens.issue(principal, request);
    return { token, expiresAt: clientToken.expiresAt, scopes, clientToken };
  }

  @Query(() => ClientTokenConnection, {
    nullable: true,
    description: 'The client tokens of the account that live in this environment, newest first.',
  })
  clientTokens(
    @Arguments(PageArguments) request: PageArguments,
    @Ctx() context: RequestContext,
  ): Promise<ClientTokenConnection> {
    return this.tokens.page(developerOf(context), request);
  }

  @Mutation(() => RevokeClientTokenPayload, {
    nullable: true,
    description: 'Ends one client token of the account at once. One that has ended stays as it is.',
  })
  async revokeClientToken(
    @Arg('input', () => RevokeClientTokenInput, { description: 'Which one.' })
    { clientTokenId }: RevokeClientTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeClientTokenPayload> {
    const id = recordId(clientTokenId, 'ctk', 'client token');
    return { clientToken: await this.tokens.revoke(developerOf(context), id) };
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'The one order that it sees; null without the scope ORDER, and when the order is archived.',
  })
  @RowsBeside(READ_TOGETHER)
  async order(@Root() { developerId, orderKey }: ClientToken): Promise<Order | null> {
    if (orderKey === undefined) return null;
    const order = await this.#orders.load({ developerId, id: orderKey });
    return order ? orderView(order, this.store, { masked: false }) : null;
  }
}

@Resolver(() => ClientTokenConnection)
export class ClientTokenConnectionResolver {
  constructor(private readonly tokens: ClientTokenService) {}

  @FieldResolver(() => Int, { nullable: true, description: 'Number of client tokens on all pages.' })
  totalCount(@Ctx() context: RequestContext): Promise<number> {
    return this.tokens.count(developerOf(context));
  }
}

/** A client token of the caller's account. */
export const clientTokenNode =
  (tokens: ClientTokenService): LoadNode =>
  async (key, context) =>
    isUuid(key) ? tokens.find(developerOf(context), key) : undefined;
