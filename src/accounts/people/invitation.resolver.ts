import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { approvalRequestView } from '../../approval-requests/approval-request.types.js';
import { canSeeAccount, type RequestContext, sessionOf } from '../../core/context.js';
import { AppError, fieldError } from '../../core/errors.js';
import type { DeveloperId, SessionPrincipal } from '../../core/principal.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { actingUserOf } from '../account.changes.js';
import type { AccountChangeService } from '../developers/account-change.service.js';
import type { InvitationService } from './invitation.service.js';
import { AcceptInvitationInput, AcceptInvitationPayload, InviteUserInput } from './invitation.types.js';
import { invitedView } from './people.reader.js';
import { UserPayload } from './people.types.js';
import { viewerOfUser } from './session.resolver.js';

@Resolver()
export class InvitationResolver {
  constructor(
    private readonly service: InvitationService,
    private readonly accountChanges: AccountChangeService,
  ) {}

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Emails a link to join, valid once for 72 hours. Another invitation replaces the link. Administrators invite staff; owners invite users to their account. Administrators invite a user to an account only if it has no active owner, and another administrator must approve it.',
  })
  async inviteUser(
    @Arg('input', () => InviteUserInput, { description: 'User to invite, with a role.' }) input: InviteUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const { email, name, role, teamRole } = input;
    const developerId = accountFor(input, sessionOf(context), context);
    const person = { email, name, role, teamRole, developerId };
    if (sessionOf(context).role === 'admin' && developerId !== undefined) {
      const invited = { ...person, developerId };
      const { user, approvalRequest } = await this.accountChanges.invite(
        invited,
        actingUserOf(context),
        context.addressKey,
      );
      return {
        user: invitedView(user),
        approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
      };
    }
    return { user: invitedView(await this.service.invite(person, sessionOf(context), context)), approvalRequest: null };
  }

  @Mutation(() => AcceptInvitationPayload, {
    nullable: true,
    description:
      'Accepts an invitation with the single-use token from the emailed link. The link is invalid if the user who sent the invitation was suspended or removed.',
  })
  async acceptInvitation(
    @Arg('input', () => AcceptInvitationInput, { description: 'Token from the link, and password.' })
    input: AcceptInvitationInput,
    @Ctx() context: RequestContext,
  ): Promise<AcceptInvitationPayload> {
    return { viewer: viewerOfUser(await this.service.accept(input, context)) };
  }
}

/**
 * Returns the account that the invited user joins, or undefined for staff. Throws FORBIDDEN, RECORD_NOT_FOUND or
 * VALIDATION_FAILED.
 */
function accountFor(
  { role, developerId }: InviteUserInput,
  inviter: SessionPrincipal,
  context: RequestContext,
): DeveloperId | undefined {
  if (role !== 'developer') {
    if (inviter.role !== 'admin') throw new AppError('FORBIDDEN', { message: 'Only administrators can invite staff.' });
    return undefined;
  }
  if (developerId === undefined) {
    if (inviter.developerId === undefined)
      throw fieldError('input.developerId', 'REQUIRED', 'Required for the role DEVELOPER.');
    return inviter.developerId;
  }
  const id = developerIdOf(developerId);
  if (!canSeeAccount(context, id)) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
  return id;
}
