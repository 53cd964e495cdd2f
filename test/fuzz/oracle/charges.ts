import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInterfaceType } from 'graphql';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const charged = schema.getPossibleTypes(schema.getType('Charged') as GraphQLInterfaceType);

const PAYMENT = 'order { __typename status amount apiRequestId }';

/** Object types that contain the cost of a call, and the selections for it. */
export const moneyTypes: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ...charged.map(({ name }): [string, string[]] => [name, ['fee']]),
  ['RechargePayload', ['replayed', PAYMENT]],
  ['PayCardBillPayload', [PAYMENT]],
]);

export interface Charge {
  paise: number;
  /** Reference of a payment, or over REST the order ID of the caller. */
  key?: string;
  pending?: true;
}

/**
 * Meaning of a response without a charge. `refused`: nothing was kept, and there is no data. `unknown`: money may have been kept,
 * or there is no response. `silent`: data that is free or does not state its cost.
 */
export type Claim = 'named' | 'refused' | 'unknown' | 'silent';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const paiseOf = (rupees: unknown): number => (typeof rupees === 'number' ? Math.round(rupees * 100) : 0);

/** Charges according to an accepted response, over both protocols. Replays charge nothing. */
export function chargesOf(body: unknown, replayed: boolean): Charge[] {
  if (!isObject(body)) return [];
  if ('data' in body && !('status' in body)) return graphqlCharges(body.data, replayed || isReplay(body));
  if (body.status !== 'success' && body.status !== 'pending') return [];
  if (typeof body.fee === 'number') return body.fee > 0 ? [{ paise: paiseOf(body.fee) }] : [];
  const data = isObject(body.data) ? body.data : {};
  if (replayed || typeof data.amount !== 'number') return [];
  const key = data.api_request_id ?? data.orderid;
  // adding test funds costs nothing
  if (key === undefined) return [];
  return [{ paise: paiseOf(data.amount), key: String(key), ...(body.status === 'pending' ? { pending: true } : {}) }];
}

const isEmpty = (data: unknown): boolean => !isObject(data) || Object.values(data).every((value) => value === null);

export function claimOf(status: number, body: unknown, charges: readonly Charge[]): Claim {
  if (charges.length > 0) return 'named';
  if (status === 0) return 'unknown';
  if (!isObject(body)) return 'silent';
  if (Array.isArray(body.errors)) {
    if (body.errors.some((error) => isObject(error) && isObject(error.extensions) && error.extensions.charged === true))
      return 'unknown';
    return isEmpty(body.data) ? 'refused' : 'silent';
  }
  if (status < 400) return 'silent';
  return status >= 500 && !String(body.message).includes('Nothing was charged') ? 'unknown' : 'refused';
}

/** Whether a replay returned the data that the first request paid for. */
export const isDelivered = (status: number, body: unknown): boolean =>
  status === 200 && isObject(body) && (body.errors === undefined ? body.status !== 'error' : !isEmpty(body.data));

const isReplay = ({ extensions }: Json): boolean => isObject(extensions) && extensions.replayed === true;

function graphqlCharges(value: unknown, replayed: boolean): Charge[] {
  if (Array.isArray(value)) return value.flatMap((item) => graphqlCharges(item, replayed));
  if (!isObject(value)) return [];
  const { __typename: type } = value;
  const inner = Object.values(value).flatMap((item) => graphqlCharges(item, replayed));
  switch (type) {
    case 'RechargePayload':
    case 'PayCardBillPayload': {
      const { status, amount, apiRequestId } = isObject(value.order) ? value.order : {};
      // a declined payment is refunded
      if (replayed || value.replayed === true || (status !== 'SUCCESS' && status !== 'PENDING')) return inner;
      const key = String(apiRequestId);
      return [{ paise: paiseOf(amount), key, ...(status === 'PENDING' ? { pending: true } : {}) }, ...inner];
    }
    default:
      return moneyTypes.has(String(type)) && Number(value.fee) > 0 ? [{ paise: paiseOf(value.fee) }, ...inner] : inner;
  }
}
