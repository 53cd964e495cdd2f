import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import type { CheckOrderStatusesMutation } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Button, Problem, Window } from '../parts.js';
import { usePermission } from '../people.js';
import { showFailure, showMessage } from '../toasts.js';
import { words } from '../words.js';
import { numberOf, type ReviewEntry } from './review-entry.js';

const ASK = graphql(`
  mutation CheckOrderStatus($input: CheckOrderStatusInput!) {
    checkOrderStatus(input: $input) {
      order {
        id
        actions
        timeline {
          kind
          at
          summary
          detail
          amount
          httpStatus
          durationMs
          reference
        }
      }
    }
  }
`);
const ASK_MANY = graphql(`
  mutation CheckOrderStatuses($input: CheckOrderStatusesInput!) {
    checkOrderStatuses(input: $input) {
      results {
        orderId
        code
      }
    }
  }
`);

const said = words.review;
type Asked = NonNullable<CheckOrderStatusesMutation['checkOrderStatuses']>['results'];

/** Has the provider asked again, now; no money moves by it here. */
export function CheckOrderStatus({ orderId }: { orderId: string }): ReactNode {
  const call = useCall(ASK);
  const ask = async (): Promise<void> => {
    const { data } = await call.run({ input: { orderId } });
    if (data) showMessage(said.checkStarted);
  };
  if (!usePermission('checkOrderStatus')) return null;
  return (
    <>
      {call.failure ? <Problem failure={call.failure} /> : null}
      <Button busy={call.isRunning} onClick={() => void ask()}>
        {said.check}
      </Button>
    </>
  );
}

/** Has the providers of all these orders asked, and says of each whether that was possible. */
export function CheckOrderStatuses({ entries, done }: { entries: ReviewEntry[]; done: () => void }): ReactNode {
  const call = useCall(ASK_MANY);
  const [asked, setAsked] = useState<(Asked[number] & { number: string })[]>();
  async function ask(): Promise<void> {
    const numbers = new Map(entries.map((entry) => [entry.order.id, numberOf(entry)]));
    const { data, failure } = await call.run({ input: { orderIds: [...numbers.keys()] } });
    if (failure) showFailure(said.checkAll, failure);
    const results = data?.checkOrderStatuses?.results;
    if (results) setAsked(results.map((one) => ({ ...one, number: numbers.get(one.orderId) ?? one.orderId })));
  }
  if (!usePermission('checkOrderStatuses')) return null;
  return (
    <>
      <Button busy={call.isRunning} onClick={() => void ask()}>
        {said.checkAll}
      </Button>
      <Window
        title={said.checksTitle}
        text={said.checksText}
        open={asked !== undefined}
        onClose={() => {
          setAsked(undefined);
          done();
        }}
      >
        <ul className="list">
          {asked?.map(({ orderId, number, code }) => (
            <li key={orderId}>
              <div>
                <strong>{number}</strong> {code === null ? said.checking : (said.notChecked[code] ?? code)}
              </div>
            </li>
          ))}
        </ul>
      </Window>
    </>
  );
}
