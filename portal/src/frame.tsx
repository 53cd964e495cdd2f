import { Dialog } from '@base-ui/react/dialog';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Commands } from './commands.js';
import { EnvironmentSwitch } from './environment.js';
import { graphql } from './graphql.js';
import { Icon } from './icons.js';
import { Loaded } from './loaded.js';
import { Offline } from './offline.js';
import { PausedOrders } from './paused-orders.js';
import { useViewer, ViewerContext } from './people.js';
import { useRead } from './read.js';
import { useSamePerson } from './same-person.js';
import { currentClient } from './session.js';
import { Brand, groupsOf, Side } from './side.js';
import { words } from './words.js';

/** Uses `isSignedIn` because it is public. Otherwise, the browser would log the 401 of a signed-out visitor as an error. */
const SIGNED_IN = graphql(`
  query SignedIn {
    isSignedIn
    viewer {
      user {
        id
        name
        email
        role
      }
      developer {
        id
        name
        onboardingStatus
        productionUnlocked
      }
      permissions
    }
  }
`);
const CACHE_FIRST = { requestPolicy: 'cache-first' } as const;

/** Starts the query for the signed-in user while the page script loads, so that the layout does not wait for it. */
export function loadViewer(): void {
  void currentClient().query(SIGNED_IN, {}, CACHE_FIRST).toPromise();
}

/** Layout of all pages for signed-in users. */
export function Frame(): ReactNode {
  const [read, refetch] = useRead({ query: SIGNED_IN, ...CACHE_FIRST });
  return (
    <Loaded read={read} isPart retry={() => refetch({ requestPolicy: 'network-only' })}>
      {({ viewer }) =>
        viewer ? (
          <ViewerContext value={viewer}>
            <SignedInFrame />
          </ViewerContext>
        ) : null
      }
    </Loaded>
  );
}

function SignedInFrame(): ReactNode {
  const { pathname } = useLocation();
  const viewer = useViewer();
  useSamePerson(viewer.user.id);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="frame">
      <a className="skip" href="#page">
        {words.common.skip}
      </a>
      <aside className="side-column">
        <Side />
      </aside>
      <header className="bar">
        <Dialog.Root open={isOpen} onOpenChange={setOpen}>
          <Dialog.Trigger className="icon-button menu" aria-label={words.common.menu}>
            <Icon name="menu" />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="sheet" aria-label={words.nav.label}>
              <Side />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <Brand />
        <Commands pages={groupsOf(viewer).flatMap(([, items]) => items)} />
        <EnvironmentSwitch />
      </header>
      <main id="page" className="page" tabIndex={-1}>
        <Offline />
        <PausedOrders />
        <Outlet />
      </main>
    </div>
  );
}
