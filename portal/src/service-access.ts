import { useCall } from './call.js';
import type { ServiceAccessChange } from './generated/documents.js';
import { graphql } from './graphql.js';
import { showFailure, showMessage } from './toasts.js';
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

/** Messages that are displayed after a change. */
export interface ChangeMessages {
  done: string;
  subject: string;
  failed: string;
}

/**
 * Sets service access of one or more developers. Switches are updated immediately and reset if the console rejects the change;
 * fees are updated with the response. Each change can be undone for a short time. `set` returns whether the change succeeded.
 */
export function useServiceAccess() {
  const call = useCall(SET);
  async function set(changes: ServiceAccessChange[], { done, subject, failed }: ChangeMessages): Promise<boolean> {
    const { data, failure } = await call.run({ input: { changes } });
    if (failure) showFailure(failed, failure);
    const payload = data?.setServiceAccessMany;
    if (!payload) return false;
    const { undo, approvalRequests } = payload;
    if (approvalRequests.length > 0) showMessage(words.common.pendingApproval(subject));
    if (undo.length === 0) return true;
    // Only the fields of this change are undone, so that changes by other users are kept.
    const undoChanges = undo.map(({ developerId, service, enabled, fee }): ServiceAccessChange => {
      const change = changes.find(
        (candidate) => candidate.developerId === developerId && candidate.service === service,
      );
      return {
        developerId,
        service,
        ...(typeof change?.enabled === 'boolean' ? { enabled } : {}),
        ...(typeof change?.fee === 'number' ? { fee } : {}),
      };
    });
    showMessage(done, () => void undoChange(undoChanges, subject));
    return true;
  }
  async function undoChange(changes: ServiceAccessChange[], subject: string): Promise<void> {
    const { data, failure } = await call.run({ input: { changes } });
    if (failure) showFailure(words.access.notUndone(subject), failure);
    else if (data) showMessage(words.access.undone(subject));
  }
  return { set, isRunning: call.isRunning };
}
