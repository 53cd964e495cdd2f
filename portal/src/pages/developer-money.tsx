import { type ReactNode, useState } from 'react';
import { utrIn } from '../../../src/core/utr.js';
import { useCall } from '../call.js';
import { useEnvironment } from '../environment.js';
import { CallForm, Choice, TextField } from '../form.js';
import { rupees } from '../format.js';
import type { Environment } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { showOutcome } from '../outcome.js';
import { Button, Window } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const ALLOWANCE = graphql(`
  query CreditAllowance {
    viewer {
      allowance {
        credit
      }
    }
  }
`);
const CREDIT = graphql(`
  mutation CreditWallet($input: CreditWalletInput!) {
    creditWallet(input: $input) {
      outcome {
        __typename
        ... on WalletUpdated {
          replayed
          wallet {
            id
            balance
            held
          }
        }
        ... on ApprovalRequestCreated {
          replayed
          approvalRequest {
            id
            state
          }
        }
      }
    }
  }
`);
const DEBIT = graphql(`
  mutation DebitWallet($input: DebitWalletInput!) {
    debitWallet(input: $input) {
      outcome {
        __typename
        ... on WalletUpdated {
          replayed
          wallet {
            id
            balance
            held
          }
        }
        ... on ApprovalRequestCreated {
          replayed
          approvalRequest {
            id
            state
          }
        }
      }
    }
  }
`);

const said = words.money;
const ENVIRONMENTS = Object.keys(words.environments) as Environment[];
type Kind = 'credit' | 'debit';
interface Account {
  id: string;
  name: string;
  wallets?: { environment: Environment; balance: number }[] | null | undefined;
  closedAt: string | null;
}

/** Money that a person puts into a wallet or takes out of it, of an account that has wallets; out alone where it is closed. */
export function MoneyActions({ account }: { account: Account }): ReactNode {
  const [kind, setKind] = useState<Kind>();
  const canCredit = usePermission('creditWallet');
  if (!canCredit || !account.wallets?.length) return null;
  return (
    <>
      {account.closedAt ? null : <Button onClick={() => setKind('credit')}>{said.credit}</Button>}
      <Button onClick={() => setKind('debit')}>{said.debit}</Button>
      {kind ? <MoneyWindow account={account} kind={kind} close={() => setKind(undefined)} /> : null}
    </>
  );
}

/** As people type it: 25,000 is the same as 25000. */
const amountOf = (text: string): number => Number(text.replace(/[,\s₹]/g, ''));

function MoneyWindow({ account, kind, close }: { account: Account; kind: Kind; close: () => void }): ReactNode {
  const [environment, setEnvironment] = useState(useEnvironment());
  const [typed, setTyped] = useState('');
  const [utr, setUtr] = useState('');
  const [reference, setReference] = useState('');
  /** Credited before, as the console says. */
  const [usedUtr, setUsedUtr] = useState('');
  const [{ data }] = useRead({ query: ALLOWANCE });
  const credit = useCall(CREDIT);
  const debit = useCall(DEBIT);
  const call = kind === 'credit' ? credit : debit;
  const amount = amountOf(typed);
  const deed = amount > 0 ? said[`${kind}Deed`](rupees(amount), account.name) : said[kind];
  const isLive = environment === 'PRODUCTION';
  // the console uses a reference that has the form of a UTR as the UTR
  const transfer = utr || utrIn(reference) || '';
  const isUsed = transfer !== '' && transfer === usedUtr;
  const hasTransfer = kind === 'credit' && transfer !== '';
  const takesTwo = isLive && (!hasTransfer || isUsed || amount > (data?.viewer?.allowance?.credit ?? 0));
  // a reason would make an approval request of a transfer that was credited before: it is asked for once the console has said so
  const hasReason = kind === 'debit' || !isLive || takesTwo;
  const balance = account.wallets?.find((one) => one.environment === environment)?.balance;
  async function move({ reason }: Record<string, string>): Promise<void> {
    const given = { developerId: account.id, environment, amount, reference };
    const input = { ...given, utr: (isLive && utr) || undefined, reason: reason || undefined };
    const { data: made, failure } =
      kind === 'credit' ? await credit.run({ input }) : await debit.run({ input: { ...given, reason: reason! } });
    if (failure?.code === 'CONFLICT' && (failure.fields.utr || failure.fields.reference)) setUsedUtr(transfer);
    const outcome = made && ('creditWallet' in made ? made.creditWallet : made.debitWallet)?.outcome;
    if (!outcome) return;
    showOutcome(deed, outcome);
    close();
  }
  return (
    <Window
      title={said[`${kind}Title`](account.name)}
      open
      onClose={close}
      {...(isLive ? { edge: 'live' as const } : {})}
    >
      <CallForm
        failure={call.failure}
        document={kind === 'credit' ? CREDIT : DEBIT}
        busy={call.isRunning}
        submit={deed}
        kind={isLive ? 'live' : 'main'}
        send={(values) => void move(values)}
      >
        <fieldset className="choices side-by-side">
          <legend>{words.environment}</legend>
          {ENVIRONMENTS.map((one) => (
            <Choice
              key={one}
              name="environment"
              title={words.environments[one]}
              checked={environment === one}
              onChange={() => setEnvironment(one)}
            />
          ))}
        </fieldset>
        <TextField
          name="amount"
          label={said.amount}
          inputMode="decimal"
          pattern="[0-9][0-9,]*([.][0-9]{1,2})?"
          title={said.amountForm}
          required
          autoFocus
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <TextField
          name="reference"
          label={said.reference}
          hint={kind === 'credit' ? said.referenceHint : said.debitReferenceHint}
          maxLength={100}
          required
          value={reference}
          onChange={({ target }) => setReference(target.value)}
        />
        {kind === 'credit' && isLive ? (
          <TextField
            name="utr"
            label={said.utr}
            hint={said.utrHint}
            maxLength={30}
            value={utr}
            onChange={({ target }) => setUtr(target.value)}
          />
        ) : null}
        {hasReason ? (
          <TextField
            name="reason"
            label={words.decisions.reason}
            hint={words.decisions.reasonHint}
            maxLength={500}
            required={kind === 'debit' || isLive}
          />
        ) : null}
        <p className="hint" role="status">
          {balance === undefined ? null : `${said.balance(rupees(balance))} `}
          {kind === 'debit' && balance !== undefined && amount > balance ? <strong>{said.tooMuch} </strong> : null}
          {takesTwo ? (
            <strong>{words.decisions.secondApprover}</strong>
          ) : isLive ? (
            words.decisions.noSecondApprover
          ) : (
            words.decisions.testFunds
          )}
        </p>
      </CallForm>
    </Window>
  );
}
