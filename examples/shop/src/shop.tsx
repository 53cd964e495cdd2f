import { useQuery, useSubscription } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import type { PlansOfNumberQuery } from './graphql/graphql.js';
import { graphql } from './graphql/index.js';
import { type ClientToken, post } from './tokens.js';

/** The operator of a number and its plans, in one request. */
const PLANS = graphql(`
  query PlansOfNumber($input: OperatorFindInput!) {
    operatorFind(input: $input) {
      operator { id name spKey }
      circle { name }
      plans { groups { name plans { id price validity description } } }
    }
  }
`);
const ORDER = graphql(`
  subscription OrderStatus($id: ID!) {
    orderChanged(id: $id) { id status amount decline { reason message } }
  }
`);

type Found = NonNullable<PlansOfNumberQuery['operatorFind']>;
type PlanOfGroup = NonNullable<NonNullable<Found['plans']>['groups']>[number]['plans'][number];
interface Placed {
  orderId: string;
  token: string;
  mobile: string;
}

export function Shop() {
  const [mobile, setMobile] = useState('');
  const [placed, setPlaced] = useState<Placed>();
  const [problem, setProblem] = useState<string>();
  // true until the order is final, because a second order for a pending one could charge the customer twice
  const [isBusy, setBusy] = useState(false);
  const [keys] = useState(() => new Map<string, string>());

  async function recharge(plan: PlanOfGroup, operatorSpKey: number | undefined): Promise<void> {
    // keep the key until an order is placed, so that a retry after a lost response returns the first order
    const choice = `${mobile} ${plan.id}`;
    const clientRequestId = keys.get(choice) ?? crypto.randomUUID();
    keys.set(choice, clientRequestId);
    setBusy(true);
    setProblem(undefined);
    try {
      const input = { accountNumber: mobile, amount: plan.price, operatorSpKey, clientRequestId };
      const answer = await post<{ recharge: { order: { id: string } }; createClientToken: ClientToken }>(
        '/recharge',
        input,
      );
      keys.delete(choice);
      setPlaced({ orderId: answer.recharge.order.id, token: answer.createClientToken.token, mobile });
    } catch (error) {
      setBusy(false);
      setProblem(
        `The recharge may not have been placed. Select the plan again to retry. (${(error as Error).message})`,
      );
    }
  }

  return (
    <>
      <h1>Recharge</h1>
      <label>
        Mobile number{' '}
        <input value={mobile} inputMode="numeric" maxLength={10} onChange={({ target }) => setMobile(target.value)} />
      </label>
      {placed ? <Status key={placed.orderId} {...placed} onFinal={() => setBusy(false)} /> : null}
      {problem ? <p role="alert">{problem}</p> : null}
      {/^[6-9]\d{9}$/.test(mobile) ? (
        <Plans key={mobile} mobile={mobile} isBusy={isBusy} recharge={recharge} />
      ) : (
        <p>Enter a 10-digit mobile number that begins with 6 to 9.</p>
      )}
    </>
  );
}

function Plans({
  mobile,
  isBusy,
  recharge,
}: {
  mobile: string;
  isBusy: boolean;
  recharge: (plan: PlanOfGroup, operatorSpKey: number | undefined) => Promise<void>;
}) {
  // a retry with the same clientRequestId is not charged again
  const [clientRequestId] = useState(() => crypto.randomUUID());
  const { data, error, refetch } = useQuery(PLANS, { variables: { input: { mobile, clientRequestId } } });
  if (error)
    return (
      <p role="alert">
        {error.message}{' '}
        <button type="button" onClick={() => void refetch()}>
          Try again
        </button>
      </p>
    );
  if (!data?.operatorFind) return <p role="status">Looking up the operator…</p>;
  const { operator, circle, plans } = data.operatorFind;
  return (
    <section>
      <h2>
        {operator?.name} · {circle?.name}
      </h2>
      {plans?.groups?.map(({ name, plans: ofGroup }) => (
        <fieldset key={name} disabled={isBusy}>
          <legend>{name}</legend>
          {ofGroup.map((plan) => (
            <p key={plan.id}>
              <button type="button" onClick={() => void recharge(plan, operator?.spKey)}>
                ₹{plan.price}
              </button>{' '}
              {plan.validity} {plan.description}
            </p>
          ))}
        </fieldset>
      ))}
    </section>
  );
}

const TEXTS: Record<string, string> = {
  PENDING: 'Pending',
  SUCCESS: 'Successful',
  FAILED: 'Failed',
  REVERSED: 'Reversed',
};
const RECONNECT_MS = 2_000;

/** Shows the order status until it is final. The token can only read this order. */
function Status({ orderId, token, mobile, onFinal }: Placed & { onFinal: () => void }) {
  const { data, error, restart } = useSubscription(ORDER, { variables: { id: orderId }, context: { token } });
  const order = data?.orderChanged;
  const isFinal = order !== undefined && order.status !== 'PENDING';
  useEffect(() => {
    if (isFinal) onFinal();
  }, [isFinal]);
  useEffect(() => {
    // the stream ended early, for example because the gateway restarted; the order is still processed
    if (!error || isFinal) return;
    const timer = setTimeout(restart, RECONNECT_MS);
    return () => clearTimeout(timer);
  }, [error, isFinal]);
  if (!order) return <p role="status">Waiting for the status of {mobile}…</p>;
  return (
    <p role="status">
      ₹{order.amount} for {mobile}: {TEXTS[order.status] ?? order.status}
      {order.decline ? ` (${order.decline.message})` : null}
    </p>
  );
}
