import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TeamQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { isStaff, usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { words } from '../words.js';
import { IdleLimit } from './idle-limit.js';
import { PersonDrawer, PersonState, roleOf } from './person.js';
import { Invite } from './person-forms.js';

const TEAM = graphql(`
  query Team($id: ID!) {
    developer(id: $id) {
      id
      name
      closedAt
      sessionIdleMinutes
      users {
        id
        name
        email
        mobile
        role
        teamRole
        createdAt
        lastSignInAt
        suspendedAt
        emergencySuspension
        invitedUntil
        secondFactors {
          kind
          name
        }
      }
    }
  }
`);
const STAFF = graphql(`
  query StaffPeople {
    users {
      id
      name
      email
      mobile
      role
      teamRole
      createdAt
      lastSignInAt
      suspendedAt
      emergencySuspension
      invitedUntil
      secondFactors {
        kind
        name
      }
    }
  }
`);

const said = words.people;
type Account = NonNullable<TeamQuery['developer']>;
export type Person = NonNullable<Account['users']>[number];

/** The people of one's own account; for staff those of the one that the address names. */
export function Team(): ReactNode {
  const { developer: named, user } = useSearch({ from: '/framed/team' });
  const viewer = useViewer();
  const id = isStaff(viewer) ? named : viewer.developer?.id;
  const [read, again] = useRead({ query: TEAM, variables: { id: id ?? '' }, pause: id === undefined });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  if (id === undefined) return <NotFound />;
  return (
    <Loaded read={read} retry={reload}>
      {({ developer }) =>
        developer ? (
          <OfAccount developer={developer} open={user} forStaff={isStaff(viewer)} reload={reload} />
        ) : (
          <Empty>{words.developer.missing}</Empty>
        )
      }
    </Loaded>
  );
}

function OfAccount({
  developer,
  open,
  forStaff,
  reload,
}: {
  developer: Account;
  open: string | undefined;
  forStaff: boolean;
  reload: () => void;
}): ReactNode {
  const title = forStaff ? said.teamOf(developer.name) : said.team;
  useTitle(title);
  const people = developer.users ?? [];
  // staff bring nobody into an account that has an owner
  const isOwned = forStaff && people.some(isActiveOwner);
  const canInvite = usePermission('inviteUser') && !developer.closedAt;
  const back = (
    <>
      <Link to="/developers/$developerId" params={{ developerId: developer.id }}>
        {developer.name}
      </Link>
      {canInvite && isOwned ? ` · ${said.hasOwner}` : null}
    </>
  );
  return (
    <>
      <PageHead title={title} lead={forStaff ? back : said.teamLead}>
        {canInvite && !isOwned ? <Invite developerId={developer.id} takesTwo={forStaff} onDone={reload} /> : null}
      </PageHead>
      <div className="stack">
        <People people={people} open={open} developerId={developer.id} isOwned={isOwned} reload={reload} />
        {developer.closedAt ? null : <IdleLimit developer={developer} />}
      </div>
    </>
  );
}

const isActiveOwner = ({ teamRole, suspendedAt, invitedUntil }: Person): boolean =>
  teamRole === 'OWNER' && suspendedAt === null && invitedUntil === null;

/** The operator's own. */
export function Staff(): ReactNode {
  useTitle(said.staff);
  const { user } = useSearch({ from: '/framed/people' });
  const [read, again] = useRead({ query: STAFF });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const canInvite = usePermission('inviteUser') && isStaff(useViewer());
  return (
    <>
      <PageHead title={said.staff} lead={said.staffLead}>
        {canInvite ? <Invite onDone={reload} /> : null}
      </PageHead>
      <Loaded read={read} retry={reload}>
        {({ users }) => <People people={users ?? []} open={user} reload={reload} />}
      </Loaded>
    </>
  );
}

interface Listed {
  people: readonly Person[];
  open: string | undefined;
  developerId?: string;
  /** An owner is active, and the viewer is of the staff: only owners decide about roles. */
  isOwned?: boolean;
  reload: () => void;
}

function People({ people, open, developerId, isOwned = false, reload }: Listed): ReactNode {
  const filter = useFilter();
  return (
    <>
      <TableBox label={said.name}>
        <table className="cards two-lines">
          <thead>
            <tr>
              <th scope="col">{said.name}</th>
              <th scope="col">{said.role}</th>
              <th scope="col">{said.email}</th>
              <th scope="col">{said.state}</th>
              <th scope="col">{said.lastSignIn}</th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonRow key={person.id} person={person} isOpen={person.id === open} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <PersonDrawer
        person={people.find(({ id }) => id === open)}
        developerId={developerId}
        isOwned={isOwned}
        onClose={() => filter({ user: undefined })}
        reload={reload}
      />
    </>
  );
}

const PersonRow = ({ person, isOpen }: { person: Person; isOpen: boolean }): ReactNode => (
  <tr className="opens" data-open={isOpen || undefined}>
    <td>
      <Link
        to="."
        search={(shown: object) => ({ ...shown, user: person.id }) as never}
        className="opener"
        data-row={person.id}
        aria-haspopup="dialog"
      >
        <strong>{person.name}</strong>
      </Link>
    </td>
    <td className="last">{roleOf(person)}</td>
    <td className="second quiet">{person.email}</td>
    <td className="second">
      <PersonState person={person} />
    </td>
    <td className="wide quiet">{person.lastSignInAt ? <Timestamp at={person.lastSignInAt} /> : words.common.never}</td>
  </tr>
);
