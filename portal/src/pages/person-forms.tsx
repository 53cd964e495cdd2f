import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useRequiresApproval } from '../approval-rules.js';
import { Choice, TextField } from '../form.js';
import type { Role, TeamRole } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Person } from './team.js';

const INVITE = graphql(`
  mutation InviteUser($input: InviteUserInput!) {
    inviteUser(input: $input) {
      approvalRequest {
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
      approvalRequest {
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
      approvalRequest {
        id
      }
      user {
        id
        suspendedAt
        emergencySuspension
      }
    }
  }
`);
const REINSTATE = graphql(`
  mutation ReinstateUser($input: ReinstateUserInput!) {
    reinstateUser(input: $input) {
      approvalRequest {
        id
      }
      user {
        id
        suspendedAt
        emergencySuspension
      }
    }
  }
`);
const RESET = graphql(`
  mutation ResetSecondFactors($input: ResetSecondFactorsInput!) {
    resetSecondFactors(input: $input) {
      approvalRequest {
        id
      }
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
      approvalRequest {
        id
      }
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
  const takesTwo = useRequiresApproval('ROLES', ofTeam);
  return (
    <ActionDialog
      document={INVITE}
      toVariables={({ email, name, role }) => ({
        input: { email: email!, name: name!, ...asInvited(role!, developerId) },
      })}
      onDone={({ inviteUser }) => {
        showMessage(inviteUser?.approvalRequest ? words.common.pendingApproval(said.inviteTitle) : said.inviteSent);
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
    </ActionDialog>
  );
}

export const InviteAgain = ({ person, developerId, onDone }: OfOne): ReactNode => {
  const { email, name, role, teamRole } = person;
  return (
    <ActionDialog
      document={INVITE}
      toVariables={() => ({ input: { email, name, ...asInvited(teamRole ?? role, developerId) } })}
      onDone={({ inviteUser }) => {
        showMessage(inviteUser?.approvalRequest ? words.common.pendingApproval(said.inviteTitle) : said.inviteSent);
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
  const takesTwo = useRequiresApproval('ROLES', ofTeam);
  const title = said.roleTitle(name);
  return (
    <ActionDialog
      document={SET_ROLE}
      toVariables={({ role: chosen }) => ({
        input: { userId: id, ...(ofTeam ? { teamRole: chosen as TeamRole } : { role: chosen as Role }) },
      })}
      onDone={({ setUserRole }) => {
        showMessage(setUserRole?.approvalRequest ? words.common.pendingApproval(title) : said.roleDone(name));
        onDone();
      }}
      name={said.changeRole}
      title={title}
      text={ofTeam ? said.roleText : takesTwo ? said.roleTextTwo : said.roleTextStaff}
      submit={takesTwo ? said.requestApproval : said.save}
    >
      <Roles ofTeam={ofTeam} chosen={teamRole ?? role} />
    </ActionDialog>
  );
};

const Reason = (): ReactNode => (
  <TextField name="reason" label={words.common.reason} maxLength={500} required autoFocus />
);

/** Says what happened: it is done, or it waits for a second administrator. */
const sayDone = (decided: { approvalRequest: object | null } | null, title: string, done: string): void =>
  showMessage(decided?.approvalRequest ? words.common.pendingApproval(title) : done);

export function Suspend({ person: { id, name, role }, onDone }: OfOne): ReactNode {
  const takesTwo = useRequiresApproval('ROLES', role !== 'ADMIN') && role === 'ADMIN';
  const title = said.suspendTitle(name);
  return (
    <>
      <ActionDialog
        document={SUSPEND}
        toVariables={({ reason }) => ({ input: { userId: id, reason: reason! } })}
        onDone={({ suspendUser }) => {
          sayDone(suspendUser, title, said.suspendedDone(name));
          onDone();
        }}
        name={takesTwo ? said.requestSuspend : said.suspend}
        title={title}
        text={takesTwo ? `${said.suspendText} ${said.requestTwo}` : said.suspendText}
        submit={takesTwo ? said.requestApproval : title}
        kind={takesTwo ? 'plain' : 'bad'}
      >
        <Reason />
      </ActionDialog>
      {takesTwo ? <SuspendInEmergency id={id} name={name} onDone={onDone} /> : null}
    </>
  );
}

const SuspendInEmergency = ({ id, name, onDone }: Pick<Person, 'id' | 'name'> & { onDone: () => void }): ReactNode => (
  <ActionDialog
    document={SUSPEND}
    toVariables={({ reason }) => ({ input: { userId: id, reason: reason!, emergency: true } })}
    onDone={() => {
      showMessage(said.suspendedDone(name));
      onDone();
    }}
    name={said.emergency}
    title={said.emergencyTitle(name)}
    text={said.emergencyText}
    submit={said.emergencySubmit}
    kind="bad"
  >
    <Reason />
    <label className="tick">
      <input type="checkbox" name="understood" required />
      {said.emergencyUnderstood}
    </label>
  </ActionDialog>
);

/** Another administrator settles an emergency suspension so; to undo it is to reinstate. */
export const ConfirmSuspension = ({ person: { id, name }, onDone }: OfOne): ReactNode => (
  <ActionDialog
    document={SUSPEND}
    toVariables={({ reason }) => ({ input: { userId: id, reason: reason! } })}
    onDone={({ suspendUser }) => {
      sayDone(suspendUser, said.confirmSuspensionTitle(name), said.suspendedDone(name));
      onDone();
    }}
    name={said.confirmSuspension}
    title={said.confirmSuspensionTitle(name)}
    text={said.confirmSuspensionText}
  >
    <Reason />
  </ActionDialog>
);

export function Reinstate({ person: { id, name, role, emergencySuspension }, onDone }: OfOne): ReactNode {
  const needsNoApproval = emergencySuspension || role === 'SUPPORT' || role === 'DEVELOPER';
  const takesTwo = useRequiresApproval('ROLES', needsNoApproval) && !needsNoApproval;
  const title = said.reinstateTitle(name);
  return (
    <ActionDialog
      document={REINSTATE}
      toVariables={() => ({ input: { userId: id } })}
      onDone={({ reinstateUser }) => {
        sayDone(reinstateUser, title, said.reinstated(name));
        onDone();
      }}
      name={emergencySuspension ? said.undoSuspension : takesTwo ? said.requestReinstate : said.reinstate}
      title={title}
      text={takesTwo ? `${said.reinstateText} ${said.requestTwo}` : said.reinstateText}
      submit={takesTwo ? said.requestApproval : title}
    />
  );
}

export function ResetFactors({ person: { id, name }, developerId, onDone }: OfOne): ReactNode {
  const takesTwo = useRequiresApproval('ROLES');
  const text = developerId === undefined ? said.resetText : said.resetTextDeveloper;
  return (
    <ActionDialog
      document={RESET}
      toVariables={({ reason }) => ({ input: { userId: id, reason: reason! } })}
      onDone={({ resetSecondFactors }) => {
        sayDone(resetSecondFactors, said.resetTitle(name), said.resetDone(name));
        onDone();
      }}
      name={takesTwo ? said.requestReset : said.reset}
      title={said.resetTitle(name)}
      text={takesTwo ? `${text} ${said.requestTwo}` : text}
      submit={takesTwo ? said.requestApproval : said.resetSubmit}
      kind={takesTwo ? 'plain' : 'bad'}
    >
      <Reason />
    </ActionDialog>
  );
}

export function Remove({ person, onDone, onGone }: OfOne & { onGone: () => void }): ReactNode {
  const { id, name, role, invitedUntil } = person;
  const needsNoApproval = role !== 'ADMIN' || invitedUntil !== null;
  const takesTwo = useRequiresApproval('ROLES', needsNoApproval) && !needsNoApproval;
  const text = invitedUntil === null ? said.removeText : said.withdrawInvitationText;
  return (
    <ActionDialog
      document={REMOVE}
      toVariables={({ reason }) => ({ input: { userId: id, reason: reason! } })}
      onDone={({ removeUser }) => {
        sayDone(removeUser, said.removeTitle(name), said.removed(name));
        if (removeUser?.approvalRequest) onDone();
        else onGone();
      }}
      name={invitedUntil !== null ? said.withdrawInvitation : takesTwo ? said.requestRemove : said.remove}
      title={said.removeTitle(name)}
      text={takesTwo ? `${text} ${said.requestTwo}` : text}
      submit={takesTwo ? said.requestApproval : said.removeTitle(name)}
      kind={takesTwo ? 'plain' : 'bad'}
    >
      <Reason />
    </ActionDialog>
  );
}
