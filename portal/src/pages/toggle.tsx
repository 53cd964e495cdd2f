import { Switch } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import { rupees } from '../format.js';
import type { Service } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useViewer } from '../people.js';
import { say, sayFailure } from '../toasts.js';
import { words } from '../words.js';

const SET = graphql(`
  mutation SetAccess($input: SetServiceAccessInput!) {
    setServiceAccess(input: $input) {
      proposal {
        id
      }
      developer {
        id
        services {
          service
          enabled
          fee
        }
      }
    }
  }
`);

const said = words.access;

/**
 * One service of one developer. It shows at once what was chosen; where the console refuses, it goes back and says so. Whoever
 * only reads sees it, and cannot move it.
 */
export function Toggle({
  developer,
  access,
}: {
  developer: { id: string; name: string };
  access: { service: Service; enabled: boolean; fee: number };
}): ReactNode {
  const { service, enabled, fee } = access;
  const call = useCall(SET);
  const mayChange = useViewer().user.role === 'ADMIN';
  const name = words.services[service];
  async function set(isOn: boolean, isUndo = false): Promise<void> {
    const { data, failure } = await call.run({ input: { developerId: developer.id, service, enabled: isOn } });
    if (failure) sayFailure(said.refused(developer.name, name, !isOn), failure);
    else if (data?.setServiceAccess?.proposal) say(words.common.waits(`${developer.name}, ${name}`));
    else if (data) say(said.changed(developer.name, name, isOn), isUndo ? undefined : () => void set(!isOn, true));
  }
  return (
    <span className="toggle">
      <Switch.Root
        className="switch"
        checked={enabled}
        disabled={!mayChange}
        onCheckedChange={(isOn) => void set(isOn)}
        aria-label={said.switch(name, developer.name)}
      >
        <Switch.Thumb />
      </Switch.Root>
      <span className="quiet small">{enabled ? (fee > 0 ? rupees(fee) : said.free) : null}</span>
    </span>
  );
}
