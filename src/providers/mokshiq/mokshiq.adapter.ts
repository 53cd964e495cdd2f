import { type OperatorType, operatorKeyProblem, operatorOfSpKey } from '../../core/operators.js';
import type { Secret } from '../../core/secret.js';
import type { ProviderHttpClient } from '../http-client.js';
import type { CircleFinder, RechargeOrder, RechargePort } from '../ports/recharge.port.js';
import { amountText } from '../wire.js';
import { circleOfLookup, judgeRecharge } from './mokshiq.responses.js';

export interface MokshiqOptions {
  /** HTTP client for the base URL that serves `/create_mobile_recharge`. */
  client: ProviderHttpClient;
  /**
   * Separate HTTP client for the operator lookup, so that its failures do not open the breaker of recharges. Defaults to
   * `client`.
   */
  lookupClient?: ProviderHttpClient;
  credentials: {
    token: Secret;
    /** Value of the Origin header that the provider requires. */
    origin: string;
    /** Sent as `pin`. It is empty if the provider did not issue one. */
    pin?: Secret;
  };
}

/**
 * Creates the adapter for mobile and DTH recharges at Mokshiq, which uses operator names instead of codes. It has no client
 * reference, no status check and no callback, so a recharge with an unknown outcome enters manual review with its evidence.
 */
export function createMokshiqAdapter({
  client,
  lookupClient = client,
  credentials,
}: MokshiqOptions): RechargePort<'MOKSHIQ'> & CircleFinder {
  const headers = () => ({ authorization: `Bearer ${credentials.token.reveal()}`, origin: credentials.origin });

  return {
    provider: 'MOKSHIQ',
    needsCircle: true,
    canCheckStatus: false,
    notFoundIsFinal: false,
    get available() {
      return client.available;
    },
    operatorProblem,
    async recharge(order, _caller, permit) {
      const form = rechargeForm(order, credentials.pin?.reveal() ?? '');
      // Callers check both conditions before money moves, so this should not occur. Nothing was sent.
      if (!form) return { kind: 'declined', evidence: { reason: 'never_sent' } };
      const response = await client.send({
        method: 'POST',
        path: rechargePath[order.operatorType],
        headers: headers(),
        body: { multipart: form },
        number: order.accountNumber,
        permit,
      });
      return judgeRecharge(response, order);
    },
    /** Returns the recharge as pending, because the provider has no status check. */
    async checkStatus() {
      return { kind: 'unknown', evidence: { reason: 'provider_pending' } };
    },
    /** Looks up the circle of a number. Path and format of the lookup are assumptions. Verify them with the provider. */
    async findCircle(mobile) {
      return circleOfLookup(
        await lookupClient.send({
          method: 'POST',
          path: '/operator_lookup',
          headers: headers(),
          body: { json: { number: mobile } },
          number: mobile,
        }),
      );
    },
  };
}

/** Returns the problem with an operator. An operator without a name at this provider is rejected before money moves. */
function operatorProblem(operatorSpKey: number, operatorType: OperatorType): string | undefined {
  const problem = operatorKeyProblem(operatorSpKey, operatorType);
  if (problem !== undefined) return problem;
  return operatorOfSpKey(operatorSpKey) ? undefined : 'is not an operator that this provider serves';
}

const rechargePath: Readonly<Record<OperatorType, string>> = {
  mobile: '/create_mobile_recharge',
  dth: '/create_dth_recharge',
};

/**
 * Returns the form fields of a recharge. Returns undefined if the operator has no name at this provider, or a mobile recharge
 * has no circle.
 */
function rechargeForm(order: RechargeOrder, pin: string): Record<string, string> | undefined {
  const operator = operatorOfSpKey(order.operatorSpKey);
  if (operator?.type !== order.operatorType) return undefined;
  const fields = {
    operator: operator.mokshiq,
    number: order.accountNumber,
    amount: amountText(order.amountPaise),
    pin,
  };
  switch (order.operatorType) {
    case 'dth':
      return fields;
    case 'mobile':
      return order.circle && { ...fields, circle: order.circle.mokshiq };
  }
}
