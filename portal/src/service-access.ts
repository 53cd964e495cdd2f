import { useCall } from './call.js';
import type { ServiceAccessChange } from './generated/documents.js';
import { graphql } from './graphql.js';
import { say, sayFailure } from './toasts.js';
import { words } from './words.js';

const SET = graphql(`
  mutation SetAccess($input: SetServiceAccessManyInput!) {
    setServiceAccessMany(input: $input) {
      access {
        id
        service
        enabled
        fee
        changedAt
        changedBy {
          name
        }
      }
      undo {
        developerId
        service
        enabled
        fee
      }
      approvalRequests {
        id
      }
    }
  }
`);

/** What is said of a change: what is true now, of what it is about, and what stayed as it was. */
export interface Said {
  done: string;
  about: string;
  refused: string;
}

/**
 * Sets access of one developer or of many. Switches show at once what was chosen and go back where the console refuses; a fee shows
 * what the console answered. Each change can be taken back for a while, and says so when it was. `set` returns whether it was done.
 */
export function useServiceAccess() {
  const call = useCall(SET);
  async function set(changes: ServiceAccessChange[], { done, about, refused }: Said): Promise<boolean> {
    const { data, failure } = await call.run({ input: { changes } });
    if (failure) sayFailure(refused, failure);
    const payload = data?.setServiceAccessMany;
    if (!payload) return false;
    const { undo, approvalRequests } = payload;
    if (approvalRequests.length > 0) say(words.common.waits(about));
    if (undo.length === 0) return true;
    // what somebody else has changed meanwhile stays: nothing goes back but what this act has changed
    const back = undo.map(({ developerId, service, enabled, fee }): ServiceAccessChange => {
      const made = changes.find((one) => one.developerId === developerId && one.service === service);
      return {
        developerId,
        service,
        ...(typeof made?.enabled === 'boolean' ? { enabled } : {}),
        ...(typeof made?.fee === 'number' ? { fee } : {}),
      };
    });
    say(done, () => void takeBack(back, about));
    return true;
  }
  async function takeBack(changes: ServiceAccessChange[], about: string): Promise<void> {
    const { data, failure } = await call.run({ input: { changes } });
    if (failure) sayFailure(words.access.notUndone(about), failure);
    else if (data) say(words.access.undone(about));
  }
  return { set, isRunning: call.isRunning };
}
