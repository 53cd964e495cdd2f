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
      'Emails somebody a link to join, good for 72 hours and once; inviting again makes another link. Administrators invite staff, and owners invite to their account. Administrators invite into an account only when it has no active owner, and another administrator has to approve it.',
  })
  async inviteUser(
    @Arg('input', () => InviteUserInput, { description: 'Who, and as what.' }) input: InviteUserInput,
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
      'Joins with the token of the mailed link, once. Void when the inviter was suspended or removed meanwhile.',
  })
  async acceptInvitation(
    @Arg('input', () => AcceptInvitationInput, { description: 'Link and password.' }) input: AcceptInvitationInput,
    @Ctx() context: RequestContext,
  ): Promise<AcceptInvitationPayload> {
    return { viewer: viewerOfUser(await this.service.accept(input, context)) };
  }
}

/** Whose people somebody is to join; undefined for staff. Errors: FORBIDDEN, RECORD_NOT_FOUND, VALIDATION_FAILED. */
function accountFor(
  { role, developerId }: InviteUserInput,
  inviter: SessionPrincipal,
  context: RequestContext,
): DeveloperId | undefined {
  if (role !== 'developer') {
    if (inviter.role !== 'admin') throw new AppError('FORBIDDEN', { message: 'Only an admin invites staff.' });
    return undefined;
  }
  if (developerId === undefined) {
    if (inviter.developerId === undefined)
      throw fieldError('input.developerId', 'REQUIRED', 'Say which account a DEVELOPER joins.');
    return inviter.developerId;
  }
  const id = developerIdOf(developerId);
  if (!canSeeAccount(context, id)) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return id;
}
