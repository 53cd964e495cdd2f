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
export function showOutcome(subject: string, { __typename, replayed, wallet }: Outcome): void {
  if (__typename === 'ApprovalRequestCreated') showMessage((replayed ? t.alreadyPending : t.requested)(subject));
  else if (__typename === 'OrderUnchanged') showMessage(t.unchanged(subject));
  else if (replayed) showMessage(t.alreadyDone(subject));
  else showMessage(wallet ? t.balance(subject, rupees(wallet.balance)) : t.moved(subject));
}

/** Displays how many orders of a list were resolved, need approval or were rejected. */
export function showResults(subject: string, results: readonly { result: string }[]): void {
  const count = (result: string): number => results.filter((item) => item.result === result).length;
  showMessage(`${subject}: ${t.results(count('RESOLVED'), count('APPROVAL_REQUESTED'), count('REJECTED'))}`);
}
