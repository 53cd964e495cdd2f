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
      'Changes the signed-in user. A new email needs the present password, and counts once it is confirmed with confirmEmail.',
  })
  async updateProfile(
    @Arg('input', () => UpdateProfileInput, { description: 'What is new.' })
    { name, mobile, email, currentPassword }: UpdateProfileInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const session = sessionOf(context);
    // first what may be refused
    if (email !== undefined) await this.service.requestEmail(session, { email, password: currentPassword! }, context);
    if (name !== undefined || mobile !== undefined)
      await this.service.update(session, { name, mobile }, actorOf(context));
    const user = await this.people.find(session.userId);
    if (!user) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such user.' });
    return { user, approvalRequest: null };
  }

  @Mutation(() => ConfirmEmailPayload, {
    nullable: true,
    description: 'The new address of a user counts, by the token of the link that was mailed there, once.',
  })
  async confirmEmail(
    @Arg('input', () => ConfirmEmailInput, { description: 'The link.' }) { token }: ConfirmEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmEmailPayload> {
    return { viewer: viewerOfUser(await this.service.confirmEmail(token, context)) };
  }
}
