import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLInterfaceType } from 'graphql';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const charged = schema.getPossibleTypes(schema.getType('Charged') as GraphQLInterfaceType);

const PAYMENT = 'order { __typename status amount apiRequestId }';

/** Object types that say what a call cost, and the selections that say it. */
export const moneyTypes: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ...charged.map(({ name }): [string, string[]] => [name, ['fee']]),
  ['RechargePayload', ['replayed', PAYMENT]],
  ['PayCardBillPayload', [PAYMENT]],
]);

export interface Charge {
  paise: number;
  /** Of a payment: our reference, or over REST the caller's order id. */
  key?: string;
  pending?: true;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const paiseOf = (rupees: unknown): number => (typeof rupees === 'number' ? Math.round(rupees * 100) : 0);

/** What an accepted call says that it took, over both styles. Repetitions took nothing. */
export function chargesOf(body: unknown, replayed: boolean): Charge[] {
  if (!isObject(body)) return [];
  if ('data' in body && !('status' in body)) return graphqlCharges(body.data, replayed || isReplay(body));
  if (body.status !== 'success' && body.status !== 'pending') return [];
  if (typeof body.fee === 'number') return body.fee > 0 ? [{ paise: paiseOf(body.fee) }] : [];
  const data = isObject(body.data) ? body.data : {};
  if (replayed || typeof data.amount !== 'number') return [];
  const key = data.api_request_id ?? data.orderid;
  // play money that was put in costs nothing
  if (key === undefined) return [];
  return [{ paise: paiseOf(data.amount), key: String(key), ...(body.status === 'pending' ? { pending: true } : {}) }];
}

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
      // of a decline the money is back
      if (replayed || value.replayed === true || (status !== 'SUCCESS' && status !== 'PENDING')) return inner;
      const key = String(apiRequestId);
      return [{ paise: paiseOf(amount), key, ...(status === 'PENDING' ? { pending: true } : {}) }, ...inner];
    }
    default:
      return moneyTypes.has(String(type)) && Number(value.fee) > 0 ? [{ paise: paiseOf(value.fee) }, ...inner] : inner;
  }
}
