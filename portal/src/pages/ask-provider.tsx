import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import { graphql } from '../graphql.js';
import { Button, Problem } from '../parts.js';
import { useMay } from '../people.js';
import { say, sayFailure } from '../toasts.js';
import { words } from '../words.js';

const ASK = graphql(`
  mutation AskProvider($input: AskProviderInput!) {
    askProvider(input: $input) {
      order {
        id
        actions
        timeline {
          kind
          at
          detail
        }
      }
    }
  }
`);

const ASK_ALL = graphql(`
  mutation AskProviders($input: AskProvidersInput!) {
    askProviders(input: $input) {
      results {
        orderId
        code
      }
    }
  }
`);

const said = words.review;

/** Has the provider asked again, now; no money moves by it here. */
export function AskProvider({ orderId }: { orderId: string }): ReactNode {
  const call = useCall(ASK);
  const ask = async (): Promise<void> => {
    const { data } = await call.run({ input: { orderId } });
    if (data) say(said.asking);
  };
  if (!useMay('askProvider')) return null;
  return (
    <>
      {call.failure ? <Problem failure={call.failure} /> : null}
      <Button busy={call.isRunning} onClick={() => void ask()}>
        {said.ask}
      </Button>
    </>
  );
}

/** The same for those that are selected; some providers cannot be asked. */
export function AskAll({ orderIds }: { orderIds: string[] }): ReactNode {
  const call = useCall(ASK_ALL);
  const ask = async (): Promise<void> => {
    const { data, failure } = await call.run({ input: { orderIds } });
    const results = data?.askProviders?.results ?? [];
    const refused = results.filter(({ code }) => code !== null).length;
    if (failure) sayFailure(said.askAll, failure);
    else if (data) say(said.askedAll(results.length - refused, refused));
  };
  if (!useMay('askProviders')) return null;
  return (
    <Button busy={call.isRunning} onClick={() => void ask()}>
      {said.askAll}
    </Button>
  );
}
