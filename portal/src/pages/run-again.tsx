import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { noteUat } from '../call-log.js';
import { type Failure, failureOf } from '../failure.js';
import { CallForm, TextField } from '../form.js';
import { rupees } from '../format.js';
import type { OrderQuery, OrderStatus } from '../generated/documents.js';
import { Button, OrderBadge } from '../parts.js';
import { usePermission } from '../people.js';
import { UatError, useUat } from '../uat.js';
import { words } from '../words.js';

/** Of the API's graph, which the UAT host serves. */
const RECHARGE = `mutation RunAgain($input: RechargeInput!) {
  recharge(input: $input) {
    order {
      id
      status
      decline {
        message
      }
    }
  }
}`;

const said = words.runAgain;
type Order = NonNullable<OrderQuery['order']>;
interface Performed {
  id: string;
  status: OrderStatus;
  decline: { message: string } | null;
}
interface Answer {
  data?: { recharge: { order: Performed } | null } | null;
  errors?: Parameters<typeof failureOf>[0]['graphQLErrors'];
}

/** The same recharge in the sandbox, whatever became of this one: nobody is recharged, and no real money moves. */
export function RunAgain({ order }: { order: Order }): ReactNode {
  const isAllowed = usePermission('createTestToken');
  const [isOpen, setOpen] = useState(false);
  if (!isAllowed || order.kind !== 'RECHARGE' || !order.operator) return null;
  return (
    <section>
      <h2>{said.title}</h2>
      {isOpen ? (
        <Again order={order} operator={order.operator} />
      ) : (
        <p className="row">
          <Button onClick={() => setOpen(true)}>{said.name}</Button>
        </p>
      )}
    </section>
  );
}

function Again({ order, operator }: { order: Order; operator: NonNullable<Order['operator']> }): ReactNode {
  const { send, failure, isRunning, performed } = useRecharge();
  // of what staff see the middle is missing, and no developer sees it so today
  const number =
    /^\w+$/.test(order.accountNumber ?? '') && !order.accountNumber?.includes('x') ? order.accountNumber! : '';
  return (
    <>
      <p className="quiet">{said.text}</p>
      <CallForm
        failure={failure}
        busy={isRunning}
        submit={said.submit(rupees(order.amount))}
        send={({ accountNumber }) =>
          void send({
            accountNumber,
            amount: order.amount,
            operatorSpKey: operator.spKey,
            operatorType: operator.type,
          })
        }
      >
        <TextField
          name="accountNumber"
          label={said.number}
          hint={said.numberHint}
          initialValue={number}
          required
          maxLength={20}
        />
      </CallForm>
      <p role="status" className="row">
        {performed ? <Outcome order={performed} /> : null}
      </p>
    </>
  );
}

const Outcome = ({ order: { id, status, decline } }: { order: Performed }): ReactNode => (
  <>
    <OrderBadge status={status} />
    {decline ? <span>{decline.message}</span> : null}
    <Link to="/orders" search={{ environment: 'UAT', order: id }}>
      {said.show} <code>{id}</code>
    </Link>
  </>
);

function useRecharge() {
  const uat = useUat();
  const [failure, setFailure] = useState<Failure>();
  const [performed, setPerformed] = useState<Performed>();
  const [isRunning, setRunning] = useState(false);
  /** Of a request that nobody answered: the next click repeats it. */
  const unanswered = useRef<string>(undefined);

  async function send(given: object): Promise<void> {
    setRunning(true);
    setFailure(undefined);
    setPerformed(undefined);
    const clientRequestId = (unanswered.current ??= `again-${crypto.randomUUID()}`);
    const variables = { input: { ...given, clientRequestId } };
    const body = JSON.stringify({ query: RECHARGE, variables });
    try {
      noteUat(await uat.open(), RECHARGE, variables);
      const answer = await uat.post(body, { 'content-type': 'application/json', accept: 'application/json' });
      const { data, errors } = (await answer.json()) as Answer;
      unanswered.current = undefined;
      if (data?.recharge) setPerformed(data.recharge.order);
      else setFailure(failureOf({ graphQLErrors: errors ?? [] }));
    } catch (error) {
      if (!(error instanceof UatError)) throw error;
      setFailure(error.failure);
    } finally {
      setRunning(false);
    }
  }
  return { send, failure, isRunning, performed };
}
