import type { ReactNode } from 'react';
import type { GoLiveStepName } from '../generated/documents.js';
import { Icon } from '../icons.js';
import { Timestamp } from '../parts.js';
import { words } from '../words.js';

export interface Step {
  step: GoLiveStepName;
  completedAt?: string | null | undefined;
  isInReview: boolean;
}

/** The steps up to one of them. */
export const stepsTo = (last: GoLiveStepName, steps: readonly Step[]): Step[] =>
  steps.slice(0, steps.findIndex(({ step }) => step === last) + 1);

const stateOf = ({ completedAt, isInReview }: Step, isNext: boolean): 'done' | 'ours' | 'next' | 'later' =>
  completedAt ? 'done' : isInReview ? 'ours' : isNext ? 'next' : 'later';

/** The way to live keys: what is done and since when, what waits for us, and what is to be done next. */
export function Steps({ steps }: { steps: readonly Step[] }): ReactNode {
  const said = words.steps;
  // what comes after a step that waits for us waits too
  const next = steps.find(({ completedAt }) => !completedAt);
  return (
    <ol className="steps">
      {steps.map((one) => {
        const state = stateOf(one, one === next);
        return (
          <li key={one.step} data-state={state}>
            <span className="mark-step" role="img" aria-label={said.states[state]}>
              {state === 'done' ? <Icon name="check" /> : null}
            </span>
            <span>
              {state === 'next' || state === 'ours' ? (
                <strong>{words.goLive[one.step]}</strong>
              ) : (
                words.goLive[one.step]
              )}
              {one.completedAt ? (
                <span className="quiet small">
                  {' '}
                  <Timestamp at={one.completedAt} />
                </span>
              ) : null}
              {state === 'ours' ? <span className="quiet small"> {said.ours}</span> : null}
              {state === 'next' ? <span className="quiet small"> {said.hints[one.step]}</span> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
