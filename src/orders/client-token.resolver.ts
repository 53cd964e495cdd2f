import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { ClientTokenService } from '../accounts/client-token.service.js';
import { CreateClientTokenInput, CreateClientTokenPayload } from '../accounts/client-token.types.js';
import { developerOf, maySeeOrder, type RequestContext } from '../core/context.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import { noOrder } from './archived-orders.js';
import type { OrderStore } from './order.store.js';
import { isPayment } from './states.js';

/** Servers exchange their token for one that a browser or an app may hold. It stands with the orders, because one may be its scope. */
@Resolver()
export class ClientTokenResolver {
  readonly #tokens: ClientTokenService;
  readonly #store: OrderStore;

  constructor(tokens: ClientTokenService, store: OrderStore) {
    this.#tokens = tokens;
    this.#store = store;
  }

  @Mutation(() => CreateClientTokenPayload, {
    nullable: true,
    description:
      'A short-lived token for a browser or an app, with a limit of its own and a cap on fees. It reads no wallet and no list, and moves no money.',
  })
  async createClientToken(
    @Arg('input', () => CreateClientTokenInput, { description: 'What it may do.' }) input: CreateClientTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateClientTokenPayload> {
    const principal = developerOf(context);
    const { scopes, expiresInSeconds, maxSpend: maxSpendPaise } = input;
    const orderId = input.orderId === undefined ? undefined : orderIdOf(input.orderId);
    if (orderId !== undefined) {
      const order = await this.#store.byId(principal.developerId, orderId);
      if (!order || !isPayment(order.operation) || !maySeeOrder(context, order))
        throw noOrder(await this.#store.archived.byId(orderId), (left) => maySeeOrder(context, left));
    }
    const issued = await this.#tokens.issue(principal, { scopes, orderId, expiresInSeconds, maxSpendPaise });
    return { ...issued, scopes };
  }
}
