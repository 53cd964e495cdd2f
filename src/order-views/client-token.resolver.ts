import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { ClientTokenService } from '../accounts/keys/client-token.service.js';
import {
  ClientToken,
  ClientTokenConnection,
  CreateClientTokenPayload,
  RevokeClientTokenInput,
  RevokeClientTokenPayload,
} from '../accounts/keys/client-token.types.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode } from '../core/room.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { recordId } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import type { OrderStore } from '../orders/order.store.js';
import type { OrderKey, StoredOrder } from '../orders/stored-order.js';
import { CreateClientTokenInput } from './client-token.inputs.js';
import type { NamedOrders } from './named-orders.js';
import { Order } from './order.types.js';
import { orderView } from './order.view.js';

/** Servers exchange their token for one that a browser or an app may hold. It stands with the orders, because one may be its scope. */
@Resolver(() => ClientToken)
export class ClientTokenResolver {
  readonly #tokens: ClientTokenService;
  readonly #named: NamedOrders;
  readonly #store: OrderStore;
  readonly #orders: Loader<OrderKey, StoredOrder | undefined>;

  constructor(tokens: ClientTokenService, named: NamedOrders, store: OrderStore) {
    this.#tokens = tokens;
    this.#named = named;
    this.#store = store;
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
    const orderId = which && (await this.#named.find(which, context)).id;
    const request = { scopes, orderId, expiresInSeconds, maxSpendPaise };
    const { token, clientToken } = await this.#tokens.issue(principal, request);
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
    return this.#tokens.page(developerOf(context), request);
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
    return { clientToken: await this.#tokens.revoke(developerOf(context), id) };
  }

  @FieldResolver(() => Order, {
    nullable: true,
    description: 'The one order that it sees; null without the scope ORDER, and when the order is archived.',
  })
  @RowsBeside(READ_TOGETHER)
  async order(@Root() { developerId, orderKey }: ClientToken): Promise<Order | null> {
    if (orderKey === undefined) return null;
    const order = await this.#orders.load({ developerId, id: orderKey });
    return order ? orderView(order, this.#store, { masked: false }) : null;
  }
}

/** A client token of the caller's account. */
export const clientTokenNode =
  (tokens: ClientTokenService): LoadNode =>
  async (key, context) =>
    isUuid(key) ? tokens.find(developerOf(context), key) : undefined;
