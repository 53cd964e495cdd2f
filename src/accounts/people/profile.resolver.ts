import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { actorOf } from '../account.changes.js';
import type { PeopleReader } from './people.reader.js';
import { UserPayload } from './people.types.js';
import type { ProfileService } from './profile.service.js';
import { ConfirmEmailInput, ConfirmEmailPayload, UpdateProfileInput } from './profile.types.js';
import { viewerOfUser } from './session.resolver.js';

@Resolver()
export class ProfileResolver {
  constructor(
    private readonly service: ProfileService,
    private readonly people: PeopleReader,
  ) {}

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Updates the profile of the signed-in user. A new email address requires the current password and takes effect after `confirmEmail`.',
  })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'Changes to the profile.' })
    { name, mobile, email, currentPassword }: UpdateProfileInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const session = sessionOf(context);
    // the email address comes first, because its change can be rejected
    if (email !== undefined) await this.service.requestEmail(session, { email, password: currentPassword! }, context);
    if (name !== undefined || mobile !== undefined)
      await this.service.update(session, { name, mobile }, actorOf(context));
    const user = await this.people.find(session.userId);
    if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown user.' });
    return { user, approvalRequest: null };
  }

  @Mutation(() => ConfirmEmailPayload, {
    nullable: true,
    description: 'Confirms a user’s new email address with the single-use token from the emailed link.',
  })
  async confirmEmail(
    @Arg('input', () => ConfirmEmailInput, { description: 'Token from the link.' }) { token }: ConfirmEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmEmailPayload> {
    return { viewer: viewerOfUser(await this.service.confirmEmail(token, context)) };
  }
}
