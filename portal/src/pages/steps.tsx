import type { ReactNode } from 'react';
import type { Environment, OnboardingStatus } from '../generated/documents.js';
import { Icon } from '../icons.js';
import { words } from '../words.js';

interface Step {
  name: string;
  text?: string;
  isDone: boolean;
}

export interface Progress {
  onboardingStatus: OnboardingStatus;
  productionUnlocked: boolean;
  /** Whether a recharge in UAT has succeeded. */
  hasTried: boolean;
}

const ORDER: readonly OnboardingStatus[] = ['REGISTERED', 'EMAIL_VERIFIED', 'KYC_SUBMITTED', 'APPROVED'];

/** What stands between an account and its keys, in the order in which it is done. */
export function stepsTo(environment: Environment, progress: Progress): Step[] {
  const { steps } = words;
  const reached = (status: OnboardingStatus): boolean =>
    ORDER.indexOf(progress.onboardingStatus) >= ORDER.indexOf(status);
  const toUat = [
    { name: steps.email, isDone: progress.onboardingStatus !== 'REGISTERED' },
    // who was rejected hands it in again
    { name: steps.kycHandedIn, isDone: reached('KYC_SUBMITTED') },
    { name: steps.kycApproved, text: steps.kycText, isDone: reached('APPROVED') },
  ];
  if (environment === 'UAT') return toUat;
  return [
    ...toUat,
    { name: steps.uat, isDone: progress.hasTried },
    { name: steps.live, text: steps.liveText, isDone: progress.productionUnlocked },
  ];
}

export function Steps({ steps }: { steps: Step[] }): ReactNode {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <ol className="steps">
      {steps.map(({ name, text, isDone }, n) => (
        <li key={name} data-state={isDone ? 'done' : n === next ? 'next' : 'later'}>
          <span className="mark-step" role="img" aria-label={isDone ? words.steps.done : words.steps.open}>
            {isDone ? <Icon name="check" /> : null}
          </span>
          <span>
            {n === next ? <strong>{name}</strong> : name}
            {n === next && text ? <span className="quiet"> {text}</span> : null}
          </span>
        </li>
      ))}
    </ol>
  );
}
