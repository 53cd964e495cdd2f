import { rupees } from './format.js';
import { say } from './toasts.js';
import { words } from './words.js';

const said = words.decisions;

interface Outcome {
  __typename: 'WalletUpdated' | 'ApprovalRequestCreated' | 'ApprovalRequestApproved' | 'OrderUnchanged';
  replayed?: boolean;
  wallet?: { balance: number } | null;
}

/** Says what a decision about money has done: never more than the ledger answered. */
export function sayOutcome(what: string, { __typename, replayed, wallet }: Outcome): void {
  if (__typename === 'ApprovalRequestCreated') say((replayed ? said.waitsAlready : said.requested)(what));
  else if (__typename === 'OrderUnchanged') say(said.unchanged(what));
  else if (replayed) say(said.again(what));
  else say(wallet ? said.balance(what, rupees(wallet.balance)) : said.moved(what));
}

/** Says what became of each order of a list. */
export function sayResults(what: string, results: readonly { result: string }[]): void {
  const count = (result: string): number => results.filter((one) => one.result === result).length;
  say(`${what}: ${said.results(count('RESOLVED'), count('APPROVAL_REQUESTED'), count('REJECTED'))}`);
}
