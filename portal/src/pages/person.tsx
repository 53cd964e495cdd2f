import type { ReactNode } from 'react';
import { Drawer } from '../drawer.js';
import { Badge, Copy, Timestamp } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { words } from '../words.js';
import {
  ChangeRole,
  ConfirmSuspension,
  InviteAgain,
  Reinstate,
  Remove,
  ResetFactors,
  Suspend,
} from './person-forms.js';
import { PersonSessions } from './person-sessions.js';
import type { Person } from './team.js';

const said = words.people;

export const roleOf = ({ role, teamRole }: Pick<Person, 'role' | 'teamRole'>): string =>
  teamRole ? words.teamRoles[teamRole] : words.roles[role];

export const PersonState = ({ person }: { person: Person }): ReactNode => {
  const { suspendedAt, emergencySuspension, invitedUntil } = person;
  if (emergencySuspension) return <Badge tone="bad">{said.emergencyBadge}</Badge>;
  if (suspendedAt) return <Badge tone="bad">{said.suspended}</Badge>;
  if (invitedUntil)
    return <Badge tone="wait">{Date.parse(invitedUntil) > Date.now() ? said.invited : said.invitationExpired}</Badge>;
  return <Badge tone="good">{said.active}</Badge>;
};

interface Shown {
  /** Of which account; staff where it is of none. */
  developerId: string | undefined;
  isOwned: boolean;
  onClose: () => void;
  reload: () => void;
}

/** One person beside the list, while the address names them. */
export const PersonDrawer = ({ person, ...beside }: Shown & { person: Person | undefined }): ReactNode => (
  <Drawer title={person?.name ?? said.person} open={person !== undefined} onClose={beside.onClose}>
    {person ? <Contents person={person} {...beside} /> : null}
  </Drawer>
);

function Contents({ person, developerId, isOwned, onClose, reload }: Shown & { person: Person }): ReactNode {
  const isSelf = useViewer().user.id === person.id;
  const { email, mobile, createdAt, lastSignInAt, invitedUntil, suspendedAt, secondFactors } = person;
  return (
    <>
      <p className="row">
        <PersonState person={person} /> {roleOf(person)}
      </p>
      <p className="quiet">{person.teamRole ? words.teamRoleTexts[person.teamRole] : words.roleTexts[person.role]}</p>
      <dl className="references">
        <dt>{said.email}</dt>
        <dd>
          {email} <Copy text={email} subject={said.email} />
        </dd>
        {mobile ? (
          <>
            <dt>{said.mobile}</dt>
            <dd>{mobile}</dd>
          </>
        ) : null}
        <dt>{said.since}</dt>
        <dd>
          <Timestamp at={createdAt} />
        </dd>
        {invitedUntil ? (
          <>
            <dt>{said.invitedUntil}</dt>
            <dd>
              <Timestamp at={invitedUntil} />
            </dd>
          </>
        ) : (
          <>
            <dt>{said.lastSignIn}</dt>
            <dd>{lastSignInAt ? <Timestamp at={lastSignInAt} /> : words.common.never}</dd>
          </>
        )}
        {secondFactors && !invitedUntil ? (
          <>
            <dt>{said.factors}</dt>
            <dd>{secondFactors.map(({ kind }) => words.factors[kind]).join(', ') || said.noFactors}</dd>
          </>
        ) : null}
      </dl>
      {person.emergencySuspension ? <p className="hint">{said.emergencyState}</p> : null}
      {isSelf || invitedUntil || suspendedAt ? null : <PersonSessions key={person.id} person={person} />}
      {isSelf ? (
        <p className="quiet">{said.self}</p>
      ) : (
        <Decisions {...{ person, developerId, isOwned, onClose, reload }} />
      )}
    </>
  );
}

/** What the viewer may do to somebody else. */
function Decisions({ person, developerId, isOwned, onClose, reload }: Shown & { person: Person }): ReactNode {
  const can = {
    invite: usePermission('inviteUser') && !isOwned,
    role: usePermission('setUserRole') && !isOwned,
    suspend: usePermission('suspendUser'),
    reset: usePermission('resetSecondFactors'),
    remove: usePermission('removeUser'),
  };
  const isInvited = person.invitedUntil !== null;
  const of = { person, developerId, onDone: reload };
  // who reads no factors of others may still be asked to remove them
  const canHaveFactors = !isInvited && person.secondFactors?.length !== 0;
  return (
    <div className="row">
      {can.invite && isInvited ? <InviteAgain {...of} /> : null}
      {can.role && !isInvited ? <ChangeRole {...of} /> : null}
      {can.suspend && person.emergencySuspension ? <ConfirmSuspension {...of} /> : null}
      {!can.suspend || isInvited ? null : person.suspendedAt ? <Reinstate {...of} /> : <Suspend {...of} />}
      {can.reset && canHaveFactors ? <ResetFactors {...of} /> : null}
      {can.remove ? (
        <Remove
          {...of}
          onGone={() => {
            onClose();
            reload();
          }}
        />
      ) : null}
    </div>
  );
}
