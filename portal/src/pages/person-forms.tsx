import type { ReactNode } from 'react';
import { Ask } from '../ask.js';
import { Choice, TextField } from '../form.js';
import type { Role, TeamRole } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { say } from '../toasts.js';
import { useTakesTwo } from '../two-people.js';
import { words } from '../words.js';
import type { Person } from './team.js';

const INVITE = graphql(`
  mutation InviteUser($input: InviteUserInput!) {
    inviteUser(input: $input) {
      proposal {
        id
      }
      user {
        id
        invitedUntil
      }
    }
  }
`);
const SET_ROLE = graphql(`
  mutation SetUserRole($input: SetUserRoleInput!) {
    setUserRole(input: $input) {
      proposal {
        id
      }
      user {
        id
        role
        teamRole
      }
    }
  }
`);
const SUSPEND = graphql(`
  mutation SuspendUser($input: SuspendUserInput!) {
    suspendUser(input: $input) {
      user {
        id
        suspendedAt
      }
    }
  }
`);
const REINSTATE = graphql(`
  mutation ReinstateUser($input: ReinstateUserInput!) {
    reinstateUser(input: $input) {
      user {
        id
        suspendedAt
      }
    }
  }
`);
const RESET = graphql(`
  mutation ResetSecondFactors($input: ResetSecondFactorsInput!) {
    resetSecondFactors(input: $input) {
      user {
        id
        secondFactors {
          kind
          name
        }
      }
    }
  }
`);
const REMOVE = graphql(`
  mutation RemoveUser($input: RemoveUserInput!) {
    removeUser(input: $input) {
      removedUserId
    }
  }
`);

const said = words.people;
const TEAM_ROLES = Object.keys(words.teamRoles) as TeamRole[];
/** Nobody changes sides. */
const STAFF_ROLES = (Object.keys(words.roles) as Role[]).filter((role) => role !== 'DEVELOPER');

/** Nobody is invited to these where roles take two people: one admin would be two. */
const MIGHTY: readonly Role[] = ['ADMIN', 'FINANCE', 'REVIEWER'];

interface OfOne {
  person: Person;
  developerId: string | undefined;
  onDone: () => void;
}

/** Of an account's people or of staff; the form has the chosen one as `role`. */
const Roles = ({
  ofTeam,
  chosen,
  without = [],
}: {
  ofTeam: boolean;
  chosen: string;
  without?: readonly Role[];
}): ReactNode => (
  <fieldset className="choices">
    <legend>{said.role}</legend>
    {ofTeam
      ? TEAM_ROLES.map((role) => (
          <Choice
            key={role}
            name="role"
            value={role}
            title={words.teamRoles[role]}
            hint={words.teamRoleTexts[role]}
            defaultChecked={role === chosen}
            required
          />
        ))
      : STAFF_ROLES.filter((role) => !without.includes(role)).map((role) => (
          <Choice
            key={role}
            name="role"
            value={role}
            title={words.roles[role]}
            hint={words.roleTexts[role]}
            defaultChecked={role === chosen}
            required
          />
        ))}
  </fieldset>
);

/** A role as the console takes it, of an account's people or of staff. */
const asInvited = (role: string, developerId: string | undefined) =>
  developerId === undefined
    ? { role: role as Role }
    : { role: 'DEVELOPER' as const, teamRole: role as TeamRole, developerId };

export function Invite({
  developerId,
  takesTwo: ofStaff = false,
  onDone,
}: {
  developerId?: string;
  /** Staff invite into an account: a second administrator approves it. */
  takesTwo?: boolean;
  onDone: () => void;
}): ReactNode {
  const ofTeam = developerId !== undefined;
  const takesTwo = useTakesTwo('ROLES', ofTeam);
  return (
    <Ask
      document={INVITE}
      given={({ email, name, role }) => ({ input: { email: email!, name: name!, ...asInvited(role!, developerId) } })}
      onDone={({ inviteUser }) => {
        say(inviteUser?.proposal ? words.common.waits(said.inviteTitle) : said.inviteSent);
        onDone();
      }}
      name={said.invite}
      title={said.inviteTitle}
      text={ofStaff ? said.inviteTextTwo : takesTwo ? `${said.inviteText} ${said.inviteTwo}` : said.inviteText}
      submit={ofStaff ? said.inviteRequest : said.inviteSubmit}
      kind="main"
    >
      <TextField name="email" type="email" label={words.common.email} autoComplete="off" required autoFocus />
      <TextField name="name" label={said.name} maxLength={100} autoComplete="off" required />
      <Roles
        ofTeam={ofTeam}
        chosen={ofStaff ? 'OWNER' : ofTeam ? 'READER' : 'SUPPORT'}
        without={takesTwo ? MIGHTY : []}
      />
    </Ask>
  );
}

export const InviteAgain = ({ person, developerId, onDone }: OfOne): ReactNode => {
  const { email, name, role, teamRole } = person;
  return (
    <Ask
      document={INVITE}
      given={() => ({ input: { email, name, ...asInvited(teamRole ?? role, developerId) } })}
      onDone={({ inviteUser }) => {
        say(inviteUser?.proposal ? words.common.waits(said.inviteTitle) : said.inviteSent);
        onDone();
      }}
      name={said.inviteAgain}
      title={said.inviteAgainTitle(name)}
      text={said.inviteAgainText}
    />
  );
};

export const ChangeRole = ({ person: { id, name, role, teamRole }, developerId, onDone }: OfOne): ReactNode => {
  const ofTeam = developerId !== undefined;
  const takesTwo = useTakesTwo('ROLES', ofTeam);
  const title = said.roleTitle(name);
  return (
    <Ask
      document={SET_ROLE}
      given={({ role: chosen }) => ({
        input: { userId: id, ...(ofTeam ? { teamRole: chosen as TeamRole } : { role: chosen as Role }) },
      })}
      onDone={({ setUserRole }) => {
        say(setUserRole?.proposal ? words.common.waits(title) : said.roleDone(name));
        onDone();
      }}
      name={said.changeRole}
      title={title}
      text={ofTeam ? said.roleText : takesTwo ? said.roleTextTwo : said.roleTextStaff}
      submit={takesTwo ? said.propose : said.save}
    >
      <Roles ofTeam={ofTeam} chosen={teamRole ?? role} />
    </Ask>
  );
};

const Reason = (): ReactNode => (
  <TextField name="reason" label={words.common.reason} maxLength={500} required autoFocus />
);

export const Suspend = ({ person: { id, name }, onDone }: OfOne): ReactNode => (
  <Ask
    document={SUSPEND}
    given={({ reason }) => ({ input: { userId: id, reason: reason! } })}
    onDone={() => {
      say(said.suspendedDone(name));
      onDone();
    }}
    name={said.suspend}
    title={said.suspendTitle(name)}
    text={said.suspendText}
    submit={said.suspendTitle(name)}
    kind="bad"
  >
    <Reason />
  </Ask>
);

export const Reinstate = ({ person: { id, name }, onDone }: OfOne): ReactNode => (
  <Ask
    document={REINSTATE}
    given={() => ({ input: { userId: id } })}
    onDone={() => {
      say(said.reinstated(name));
      onDone();
    }}
    name={said.reinstate}
    title={said.reinstateTitle(name)}
    text={said.reinstateText}
    submit={said.reinstateTitle(name)}
  />
);

export const ResetFactors = ({ person: { id, name }, developerId, onDone }: OfOne): ReactNode => (
  <Ask
    document={RESET}
    given={({ reason }) => ({ input: { userId: id, reason: reason! } })}
    onDone={() => {
      say(said.resetDone(name));
      onDone();
    }}
    name={said.reset}
    title={said.resetTitle(name)}
    text={developerId === undefined ? said.resetText : said.resetTextDeveloper}
    submit={said.resetSubmit}
    kind="bad"
  >
    <Reason />
  </Ask>
);

export const Remove = ({ person: { id, name, invitedUntil }, onDone }: OfOne): ReactNode => (
  <Ask
    document={REMOVE}
    given={({ reason }) => ({ input: { userId: id, reason: reason! } })}
    onDone={() => {
      say(said.removed(name));
      onDone();
    }}
    name={invitedUntil === null ? said.remove : said.takeBack}
    title={said.removeTitle(name)}
    text={invitedUntil === null ? said.removeText : said.takeBackText}
    submit={said.removeTitle(name)}
    kind="bad"
  >
    <Reason />
  </Ask>
);
