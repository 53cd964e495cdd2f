import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type TypedDocumentNode } from 'urql';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { rupees } from '../format.js';
import type { OrderActionsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { showOutcome } from '../outcome.js';
import { isStaff, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { CheckOrderStatus } from './order-status-check.js';
import { Waiting } from './waiting.js';

const ACTIONS = graphql(`
  query OrderActions($id: ID!) {
    order(id: $id) {
      id
      amount
      environment
      actions
      approvalRequest {
        id
        action
      }
      developer {
        id
        name
      }
    }
  }
`);
const REVERSE = graphql(`
  mutation ReverseOrder($input: ReverseOrderInput!) {
    reverseOrder(input: $input) {
      outcome {
        __typename
        ... on WalletUpdated {
          replayed
          wallet {
            id
            balance
            held
          }
          order {
            id
            status
            actions
          }
        }
        ... on ApprovalRequestCreated {
          replayed
          approvalRequest {
            id
            state
            order {
              id
              approvalRequest {
                id
                action
              }
            }
          }
        }
      }
    }
  }
`);
const REVERSE_REFUND = graphql(`
  mutation ReverseRefund($input: ReverseRefundInput!) {
    reverseRefund(input: $input) {
      outcome {
        __typename
        ... on WalletUpdated {
          replayed
          wallet {
            id
            balance
            held
          }
          order {
            id
            status
            actions
          }
        }
        ... on ApprovalRequestCreated {
          replayed
          approvalRequest {
            id
            state
            order {
              id
              approvalRequest {
                id
                action
              }
            }
          }
        }
      }
    }
  }
`);

const said = words.orderActions;
type Order = NonNullable<OrderActionsQuery['order']>;

interface Of {
  orderId: string;
  reload: () => void;
}

/** What staff may do to an order, as its state allows it now. */
export function OrderActions({ orderId, reload }: Of): ReactNode {
  return isStaff(useViewer()) ? (
    <WithOrder orderId={orderId}>
      {(order) => (
        <>
          <Waiting approvalRequests={order.approvalRequest ? [order.approvalRequest] : []} />
          <div className="row">
            {order.actions?.includes('RESOLVE') ? (
              <Link to="/review" search={{ order: order.id }} className="button">
                {words.review.resolve}
              </Link>
            ) : null}
            {order.actions?.includes('CHECK_STATUS') ? <CheckOrderStatus orderId={order.id} /> : null}
            <Undoing order={order} reload={reload} />
          </div>
        </>
      )}
    </WithOrder>
  ) : null;
}

/** What undoes a decision that turned out to be wrong. */
export const Corrections = ({ orderId, reload }: Of): ReactNode => (
  <WithOrder orderId={orderId}>{(order) => <Undoing order={order} reload={reload} />}</WithOrder>
);

function WithOrder({ orderId, children }: { orderId: string; children: (order: Order) => ReactNode }): ReactNode {
  const [read, again] = useRead({ query: ACTIONS, variables: { id: orderId } });
  return (
    <Loaded read={read} isPart retry={() => again({ requestPolicy: 'network-only' })} rows={1}>
      {({ order }) => (order ? children(order) : null)}
    </Loaded>
  );
}

function Undoing({ order, reload }: { order: Order; reload: () => void }): ReactNode {
  const canReverse = usePermission('reverseOrder');
  const canCharge = usePermission('reverseRefund');
  const of = { order, reload };
  return (
    <>
      {canReverse && order.actions?.includes('REVERSE') ? (
        <Correction {...of} document={REVERSE} outcomeIn={(data) => data.reverseOrder?.outcome} said={said.reverse} />
      ) : null}
      {canCharge && order.actions?.includes('REVERSE_REFUND') ? (
        <Correction
          {...of}
          document={REVERSE_REFUND}
          outcomeIn={(data) => data.reverseRefund?.outcome}
          said={said.charge}
        />
      ) : null}
    </>
  );
}

/** A button, and the dialog that says what it moves, whose money that is, and that real money takes two people. */
function Correction<Data>({
  order,
  document,
  outcomeIn,
  said: { name, title, text, deed },
  reload,
}: {
  order: Order;
  document: TypedDocumentNode<Data, { input: { orderId: string; reason: string } }>;
  outcomeIn: (data: Data) => Parameters<typeof showOutcome>[1] | undefined;
  said: typeof said.reverse;
  reload: () => void;
}): ReactNode {
  const isLive = order.environment === 'PRODUCTION';
  const submit = deed(rupees(order.amount), order.developer?.name ?? '–');
  return (
    <ActionDialog
      document={document}
      toVariables={({ reason }) => ({ input: { orderId: order.id, reason: reason! } })}
      onDone={(data) => {
        const outcome = outcomeIn(data);
        if (outcome) showOutcome(submit, outcome);
        reload();
      }}
      name={name}
      title={title}
      text={text}
      submit={submit}
      kind="bad"
      live={isLive}
    >
      <TextField
        name="reason"
        label={words.decisions.evidence}
        hint={words.decisions.evidenceHint}
        maxLength={500}
        required
        autoFocus
      />
      <p className="hint">{isLive ? <strong>{words.decisions.secondApprover}</strong> : words.decisions.testFunds}</p>
    </ActionDialog>
  );
}
