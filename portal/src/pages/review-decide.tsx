import { type ReactNode, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, Choice, TextField } from '../form.js';
import { rupees } from '../format.js';
import type { ErrorCode, LedgerAccount, OrderResolutionResult, Resolution } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { showOutcome, showResults } from '../outcome.js';
import { Timestamp, Window } from '../parts.js';
import { words } from '../words.js';
import { numberOf, type ReviewEntry, sumOf } from './review-entry.js';

const RESOLVE = graphql(`
  mutation ResolveOrder($input: ResolveOrderInput!) {
    resolveOrder(input: $input) {
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
          }
        }
        ... on ApprovalRequestCreated {
          replayed
          approvalRequest {
            id
            state
          }
        }
        ... on OrderUnchanged {
          replayed
          order {
            id
            status
          }
        }
      }
    }
  }
`);
const RESOLVE_MANY = graphql(`
  mutation ResolveOrders($input: ResolveOrdersInput!) {
    resolveOrders(input: $input) {
      approvalRequest {
        id
        state
      }
      results {
        orderId
        result
        code
      }
    }
  }
`);

const said = words.review;
const OUTCOMES = [
  ['SUCCESS', said.succeeded, said.succeededHint],
  ['FAILED', said.failed, said.failedHint],
] as const;

interface Posting {
  from: LedgerAccount;
  to: LedgerAccount;
  amount: number;
}

/** What a decision about these orders would do: the console says it of each, and here it is added up. */
function previewOf(entries: readonly ReviewEntry[], resolution: Resolution, alone: number) {
  const previews = entries.map((entry) => ({
    entry,
    preview: entry.preview?.find((one) => one.resolution === resolution),
  }));
  const moved = previews.filter(({ preview }) => preview?.entries.length);
  const live = moved.filter(({ entry }) => entry.environment === 'PRODUCTION').map(({ entry }) => entry);
  const sums = Map.groupBy(
    moved.flatMap(({ preview }) => preview!.entries),
    ({ from, to }) => `${from} ${to}`,
  );
  return {
    postings: [...sums.values()].map((group): Posting => {
      const paise = group.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
      return { from: group[0]!.from, to: group[0]!.to, amount: paise / 100 };
    }),
    /** Decided the other way already: such a decision is refused. */
    opposite: previews.filter(({ preview }) => preview === undefined).length,
    amount: sumOf(moved.map(({ entry }) => entry)),
    isPlay: moved.length > 0 && live.length === 0,
    needsSecond: live.length > 0 && (moved.some(({ preview }) => preview!.requiresApproval) || sumOf(live) > alone),
  };
}

interface Result {
  orderId: string;
  result: OrderResolutionResult;
  code: ErrorCode | null;
}
const numberIn = (entries: readonly ReviewEntry[], id: string): string => {
  const entry = entries.find(({ order }) => order.id === id);
  return entry ? numberOf(entry) : id;
};

/** Whose money it is: one account by its name. */
function whoseAre(entries: readonly ReviewEntry[]): string {
  const names = new Map(entries.map(({ developer }) => [developer?.id, developer?.name]));
  const [name] = names.values();
  return names.size === 1 && name ? name : said.accounts(names.size);
}

/** One decision about one order or many: what happened to them, how one knows, and what it does before it is done. */
export function DecideWindow({
  entries: given,
  alone,
  close,
  done,
}: {
  entries: readonly ReviewEntry[];
  alone: number;
  close: () => void;
  done: () => void;
}): ReactNode {
  const [outcome, setOutcome] = useState<Resolution>();
  // what was decided leaves the list; what was refused stays, with what was written
  const [results, setResults] = useState<readonly Result[]>([]);
  const refused = results.filter(({ result }) => result === 'REJECTED');
  const entries =
    results.length === 0 ? given : given.filter(({ order }) => refused.some((one) => one.orderId === order.id));
  const one = useCall(RESOLVE);
  const many = useCall(RESOLVE_MANY);
  const call = entries.length === 1 ? one : many;
  const recent = entries.map(({ sentRecentlyUntil }) => sentRecentlyUntil).findLast(Boolean);
  const preview = outcome && previewOf(entries, outcome, alone);
  /** What is done to these. */
  function deedOf(some: readonly ReviewEntry[]): string {
    const { amount } = previewOf(some, outcome!, alone);
    if (amount === 0) return said.confirm;
    return (outcome === 'SUCCESS' ? said.settle : said.refund)(rupees(amount), whoseAre(some));
  }
  const deed = outcome === undefined ? said.resolve : deedOf(entries);
  async function decide({ reason, insist }: Record<string, string>): Promise<void> {
    const decision = { outcome: outcome!, reason: reason!, allowRecentSend: insist === 'on' || undefined };
    if (entries.length === 1) {
      const { data } = await one.run({ input: { ...decision, orderId: entries[0]!.order.id } });
      if (!data?.resolveOrder) return;
      showOutcome(deed, data.resolveOrder.outcome);
    } else {
      const { data } = await many.run({ input: { ...decision, orderIds: entries.map(({ order }) => order.id) } });
      const became = data?.resolveOrders?.results;
      if (!became) return;
      const isDone = (id: string): boolean =>
        became.some(({ orderId, result }) => orderId === id && result !== 'REJECTED');
      const decided = entries.filter(({ order }) => isDone(order.id));
      if (decided.length > 0) showResults(deedOf(decided), became);
      if (decided.length < entries.length) return setResults(became);
    }
    done();
  }
  const isTooRecent = [call.failure, ...refused].some((refusal) => refusal?.code === 'SENT_RECENTLY');
  const isLive = entries.some(({ environment }) => environment === 'PRODUCTION');
  return (
    <Window
      title={said.resolveTitle(entries.length)}
      open
      onClose={results.length > 0 ? done : close}
      {...(isLive ? { edge: 'live' as const } : {})}
    >
      <CallForm
        failure={call.failure}
        document={entries.length === 1 ? RESOLVE : RESOLVE_MANY}
        busy={call.isRunning || entries.length === 0}
        submit={deed}
        kind={isLive ? 'live' : 'main'}
        send={(values) => void decide(values)}
      >
        <fieldset className="choices">
          <legend>{said.selected(entries.length, rupees(sumOf(entries)))}</legend>
          {OUTCOMES.map(([value, title, hint]) => (
            <Choice
              key={value}
              name="outcome"
              title={title}
              hint={hint}
              checked={outcome === value}
              onChange={() => setOutcome(value)}
              required
            />
          ))}
        </fieldset>
        <TextField
          name="reason"
          label={words.decisions.evidence}
          hint={words.decisions.evidenceHint}
          maxLength={500}
          required
        />
        {outcome === 'FAILED' && recent ? (
          <p className="hint">
            {said.sentRecently} <Timestamp at={recent} />
          </p>
        ) : null}
        {refused.length > 0 ? (
          <ul className="list" role="alert">
            {refused.map(({ orderId, code }) => (
              <li key={orderId}>
                {said.notResolved(
                  numberIn(given, orderId),
                  said.rejections[code ?? ''] ?? said.rejectedWith(code ?? ''),
                )}
              </li>
            ))}
          </ul>
        ) : null}
        {outcome === 'FAILED' && (recent || isTooRecent) ? (
          <label className="tick">
            <input type="checkbox" name="insist" />
            {words.decisions.allowRecentSend}
          </label>
        ) : null}
        {preview ? <Preview preview={preview} /> : null}
      </CallForm>
    </Window>
  );
}

function Preview({ preview }: { preview: ReturnType<typeof previewOf> }): ReactNode {
  const { postings, opposite, isPlay, needsSecond } = preview;
  return (
    <div className="hint" role="status">
      {postings.map(({ from, to, amount }) => (
        <p key={from + to}>
          {said.posts}: {said.posting(rupees(amount), words.accounts[from], words.accounts[to])}
        </p>
      ))}
      {opposite ? <p>{said.oppositeOutcome(opposite)}</p> : null}
      {postings.length ? (
        <p>
          {isPlay ? (
            words.decisions.testFunds
          ) : needsSecond ? (
            <strong>{words.decisions.secondApprover}</strong>
          ) : (
            words.decisions.noSecondApprover
          )}
        </p>
      ) : (
        <p>{said.postsNothing}</p>
      )}
    </div>
  );
}
