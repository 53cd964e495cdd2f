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
import { ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { Agrees, Distinct, Input, NonNegativeAmount, Range, Text } from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import type { OrderStore } from '../order.store.js';
import type { OrderKey, StoredOrder } from '../stored-order.js';
import type { OrderFinder } from './order.resolver.js';
import {
  hasKindWithKey,
  hasOneIdentifier,
  KEY_NEEDS_KIND,
  ONE_IDENTIFIER,
  Order,
  type OrderKind,
  OrderKindEnum,
} from './order.types.js';
import { orderView } from './order.view.js';

const MAX_SPEND = paise(100_000);

@Input({
  description:
    'Reference of an order: its ID, its `api_request_id`, or its idempotency key together with the order kind.',
})
export class OrderKeyInput {
  @Field(() => ID, { nullable: true, description: 'ID of the order.' })
  @Agrees<OrderKeyInput>(hasOneIdentifier, ONE_IDENTIFIER)
  id?: string;

  @Field(() => String, { nullable: true, description: 'The `api_request_id` returned for the order.' })
  @Text(100)
  apiRequestId?: string;

  @Field(() => OrderKindEnum, { nullable: true, description: 'Order kind. Required with `clientRequestId`.' })
  @Agrees<OrderKeyInput>(hasKindWithKey, KEY_NEEDS_KIND)
  kind?: OrderKind;

  @Field(() => String, {
    nullable: true,
    description:
      'Idempotency key of the order: `client_request_id` of a recharge, or `orderid` of a card bill payment.',
  })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'Scopes and limits of a client token for a browser or an app.' })
export class CreateClientTokenInput {
  @Field(() => [ClientTokenScopeEnum], {
    description: 'Scopes of the token. No scope gives access to wallets, lists or payments.',
  })
  @Distinct(1, 3)
  scopes!: ClientScope[];

  @Field(() => ID, { nullable: true, description: 'ID of the order for the scope ORDER.' })
  @Agrees<CreateClientTokenInput>(
    ({ scopes, orderId, order }) =>
      !scopes || scopes.includes('order') === (orderId !== undefined || order !== undefined),
    'Required with the scope ORDER unless `order` is set. Not allowed without that scope.',
  )
  orderId?: string;

  @Field(() => OrderKeyInput, {
    nullable: true,
    description:
      'Reference of the order for the scope ORDER, as an alternative to `orderId`. With an idempotency key, the mutation can follow `recharge` in the same document.',
  })
  @Agrees<CreateClientTokenInput>(
    ({ orderId, order }) => orderId === undefined || order === undefined,
    'Set either `orderId` or `order`, not both.',
  )
  order?: OrderKeyInput;

  @Field(() => Int, { nullable: true, defaultValue: 900, description: 'Token lifetime in seconds, 60 to 3,600.' })
  @Range(60, 3_600)
  expiresInSeconds!: number;

  @Field(() => Rupees, {
    nullable: true,
    defaultValue: paise(1_000),
    description: 'Spending limit for lookup fees, in rupees. Maximum 1,000.',
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

/**
 * Resolver for the exchange of a server token for a client token, which a browser or an app may hold. It is in the orders
 * module because a client token can be limited to one order.
 */
@Resolver(() => ClientToken)
export class ClientTokenResolver {
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;

  constructor(
    private readonly tokens: ClientTokenService,
    private readonly orderFinder: OrderFinder,
    private readonly store: OrderStore,
  ) {
    this.#orders = batchedLoader((keys) => store.byIds(keys));
  }

  @Mutation(() => CreateClientTokenPayload, {
    nullable: true,
    description:
      'Creates a short-lived token for a browser or an app, with its own rate limit and a spending limit for lookup fees. The token cannot read wallets or lists, and cannot make payments. The number of active client tokens of an account is limited to ten times its rate limit.',
  })
  async createClientToken(
    @Arg('input', () => CreateClientTokenInput, { description: 'Scopes and limits of the token.' })
    input: CreateClientTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateClientTokenPayload> {
    const principal = developerOf(context);
    const { scopes, expiresInSeconds, maxSpend: maxSpendPaise } = input;
    const orderKey = input.orderId === undefined ? input.order : { id: input.orderId };
    const orderId = orderKey && (await this.orderFinder.find(orderKey, context)).id;
    const request = { scopes, orderId, expiresInSeconds, maxSpendPaise };
    const { token, clientToken } = await this.tokens.issue(principal, request);
    return { token, expiresAt: clientToken.expiresAt, scopes, clientToken };
  }

  @Query(() => ClientTokenConnection, {
    nullable: true,
    description: 'Active client tokens of the account in this environment, newest first.',
  })
  clientTokens(
    @Arguments(PageArguments) request: PageArguments,
    @Ctx() context: RequestContext,
  ): Promise<ClientTokenConnection> {
    return this.tokens.page(developerOf(context), request);
  }

  @Mutation(() => RevokeClientTokenPayload, {
    nullable: true,
    description:
      'Revokes a client token of the account immediately. A token that has already expired or been revoked stays unchanged.',
  })
  async revokeClientToken(
    @Arg('input', () => RevokeClientTokenInput, { description: 'ID of the client token to revoke.' })
    { clientTokenId }: RevokeClientTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<RevokeClientTokenPayload> {
    const id = recordId(clientTokenId, 'ctk', 'client token');
    return { clientToken: await this.tokens.revoke(developerOf(context), id) };
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'Order that the token can read. Null without the scope ORDER, and if the order is archived.',
  })
  @ExtraReads(READ_TOGETHER)
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

/** Node loader for client tokens of the caller's account. */
export const clientTokenNode =
  (tokens: ClientTokenService): LoadNode =>
  async (key, context) =>
    isUuid(key) ? tokens.find(developerOf(context), key) : undefined;
