import { useQuery, useSubscription } from '@apollo/client/react';
import { useState } from 'react';
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
interface Placed {
  orderId: string;
  token: string;
}

export function Shop() {
  const [mobile, setMobile] = useState('');
  const [placed, setPlaced] = useState<Placed>();
  const isNumber = /^[6-9]\d{9}$/.test(mobile);
  return (
    <>
      <h1>Recharge</h1>
      <label>
        Mobile number{' '}
        <input value={mobile} inputMode="numeric" maxLength={10} onChange={({ target }) => setMobile(target.value)} />
      </label>
      {isNumber ? <Plans key={mobile} mobile={mobile} onPlaced={setPlaced} /> : null}
      {placed ? <Status key={placed.orderId} {...placed} /> : null}
    </>
  );
}

function Plans({ mobile, onPlaced }: { mobile: string; onPlaced: (placed: Placed) => void }) {
  // lookups with a fee are charged once for each clientRequestId
  const [clientRequestId] = useState(() => crypto.randomUUID());
  const { data, error } = useQuery(PLANS, { variables: { input: { mobile, clientRequestId } } });
  if (error) return <p role="alert">{error.message}</p>;
  if (!data?.operatorFind) return <p role="status">Looking up the operator…</p>;
  const { operator, circle, plans } = data.operatorFind;
  return (
    <section>
      <h2>
        {operator?.name} · {circle?.name}
      </h2>
      {plans?.groups?.map(({ name, plans: ofGroup }) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {ofGroup.map((plan) => (
            <Plan key={plan.id} mobile={mobile} operator={operator} plan={plan} onPlaced={onPlaced} />
          ))}
        </fieldset>
      ))}
    </section>
  );
}

type Operator = Found['operator'];
type PlanOfGroup = NonNullable<NonNullable<Found['plans']>['groups']>[number]['plans'][number];

function Plan({
  mobile,
  operator,
  plan,
  onPlaced,
}: {
  mobile: string;
  operator: Operator;
  plan: PlanOfGroup;
  onPlaced: (placed: Placed) => void;
}) {
  // stays the same when the customer presses again after a failed request, so the recharge is performed once
  const [clientRequestId, setKey] = useState(() => crypto.randomUUID());
  const [problem, setProblem] = useState<string>();
  async function recharge(): Promise<void> {
    const input = { accountNumber: mobile, amount: plan.price, operatorSpKey: operator?.spKey, clientRequestId };
    try {
      const answer = await post<{ recharge: { order: { id: string } }; createClientToken: ClientToken }>(
        '/recharge',
        input,
      );
      onPlaced({ orderId: answer.recharge.order.id, token: answer.createClientToken.token });
      setKey(crypto.randomUUID());
      setProblem(undefined);
    } catch (error) {
      setProblem((error as Error).message);
    }
  }
  return (
    <p>
      <button type="button" onClick={() => void recharge()}>
        ₹{plan.price}
      </button>{' '}
      {plan.validity} {plan.description} {problem ? <span role="alert">{problem}</span> : null}
    </p>
  );
}

const TEXTS: Record<string, string> = {
  PENDING: 'Pending',
  SUCCESS: 'Successful',
  FAILED: 'Failed',
  REVERSED: 'Reversed',
};

/** The order's status until it is final, with a token that can read this order only. */
function Status({ orderId, token }: Placed) {
  const { data, error } = useSubscription(ORDER, { variables: { id: orderId }, context: { token } });
  if (error) return <p role="alert">{error.message}</p>;
  const order = data?.orderChanged;
  return (
    <p role="status">
      {order ? `₹${order.amount}: ${TEXTS[order.status] ?? order.status}` : 'Waiting for the status…'}
      {order?.decline ? ` (${order.decline.message})` : null}
    </p>
  );
}
