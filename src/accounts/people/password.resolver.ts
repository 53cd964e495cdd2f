import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import type { PasswordService } from './password.service.js';
import {
  ChangePasswordInput,
  ChangePasswordPayload,
  RequestPasswordResetInput,
  RequestPasswordResetPayload,
  ResetPasswordInput,
  ResetPasswordPayload,
} from './password.types.js';
import { viewerOf, viewerOfUser } from './session.resolver.js';

@Resolver()
export class PasswordResolver {
  constructor(private readonly service: PasswordService) {}

  @Mutation(() => ChangePasswordPayload, {
    nullable: true,
    description: 'Changes the password of the signed-in user. Revokes all other sessions of the user.',
  })
  async changePassword(
    @Arg('input', () => ChangePasswordInput, { description: 'Current and new password.' })
    { currentPassword, newPassword }: ChangePasswordInput,
    @Ctx() context: RequestContext,
  ): Promise<ChangePasswordPayload> {
    const session = sessionOf(context);
    const revokedSessions = await this.service.change(session, currentPassword, newPassword, context);
    return { viewer: viewerOf(session), revokedSessions };
  }

  @Mutation(() => RequestPasswordResetPayload, {
    nullable: true,
    description: 'Emails a link to set a new password if a user has the address. The response is always the same.',
  })
  async requestPasswordReset(
    @Arg('input', () => RequestPasswordResetInput, { description: 'Email address of the user.' })
    { email }: RequestPasswordResetInput,
    @Ctx() context: RequestContext,
  ): Promise<RequestPasswordResetPayload> {
    await this.service.requestReset(email, context);
    return { accepted: true };
  }

  @Mutation(() => ResetPasswordPayload, {
    nullable: true,
    description:
      'Sets a new password with the single-use token from the emailed link. Revokes all sessions of the user.',
  })
  async resetPassword(
    @Arg('input', () => ResetPasswordInput, { description: 'Token from the link, and new password.' })
    { token, newPassword }: ResetPasswordInput,
    @Ctx() context: RequestContext,
  ): Promise<ResetPasswordPayload> {
    return { viewer: viewerOfUser(await this.service.reset(token, newPassword, context)) };
  }
}
