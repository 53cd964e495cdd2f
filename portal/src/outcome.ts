import { rupees } from './format.js';
import { showMessage } from './toasts.js';
import { words } from './words.js';

const t = words.decisions;

interface Outcome {
  __typename: 'WalletUpdated' | 'ApprovalRequestCreated' | 'ApprovalRequestApproved' | 'OrderUnchanged';
  replayed?: boolean;
  wallet?: { balance: number } | null;
}

/** Displays the outcome of a change that moves money, based only on the response. */
export function showOutcome(what: string, { __typename, replayed, wallet }: Outcome): void {
  if (__typename === 'ApprovalRequestCreated') showMessage((replayed ? t.alreadyPending : t.requested)(what));
  else if (__typename === 'OrderUnchanged') showMessage(t.unchanged(what));
  else if (replayed) showMessage(t.alreadyDone(what));
  else showMessage(wallet ? t.balance(what, rupees(wallet.balance)) : t.moved(what));
}

/** Displays how many orders of a list were resolved, need approval or were rejected. */
export function showResults(what: string, results: readonly { result: string }[]): void {
  const count = (result: string): number => results.filter((one) => one.result === result).length;
  showMessage(`${what}: ${t.results(count('RESOLVED'), count('APPROVAL_REQUESTED'), count('REJECTED'))}`);
}
