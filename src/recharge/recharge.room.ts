import type { DeveloperPrincipal } from '../core/principal.js';
import type { Base } from '../db/database.js';
import type { OrderService } from '../orders/order.service.js';
import type { Providers } from '../providers/providers.js';
import { OperatorFieldsResolver } from './operator-fields.resolver.js';
import { ReceivedResponses } from './received-responses.js';
import { RechargeResolver } from './recharge.resolver.js';
import { RechargeService } from './recharge.service.js';
import type { RechargeInput } from './recharge.types.js';

/** Creates the recharge module. `known` finds the order with the idempotency key of a rejected request. */
export function createRecharge(
  { config: { maxRechargePaise }, pool, log }: Pick<Base, 'config' | 'pool' | 'log'>,
  orders: OrderService,
  ports: Providers['recharge'],
) {
  const receivedResponses = new ReceivedResponses(pool, log);
  const resolver = new RechargeResolver(new RechargeService(orders, ports, maxRechargePaise, receivedResponses));
  const operatorFields = new OperatorFieldsResolver(ports, maxRechargePaise);
  return {
    findKnownOrder: (principal: DeveloperPrincipal, { input }: { input?: Partial<RechargeInput> }) =>
      resolver.findKnownOrder(principal, input),
    room: {
      resolvers: { api: [resolver, operatorFields], console: [operatorFields] },
      close: () => receivedResponses.drain(),
    },
  };
}
