import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { ownAccountOf, type RequestContext } from '../core/context.js';
import type { KycService } from './kyc.service.js';
import {
  SignUpInput,
  SignUpPayload,
  SubmitKycInput,
  SubmitKycPayload,
  VerifyEmailInput,
  VerifyEmailPayload,
} from './onboarding.types.js';
import type { SignUpService } from './sign-up.service.js';

/** Sign-up and KYC on the console host. */
@Resolver()
export class OnboardingResolver {
  constructor(
    private readonly signUps: SignUpService,
    private readonly kyc: KycService,
    private readonly developers: DevelopersReader,
  ) {}

  @Mutation(() => SignUpPayload, {
    nullable: true,
    description:
      'Asks for an account. The answer is the same whether or not the address has one: an email tells what to do.',
  })
  async signUp(
    @Arg('input', () => SignUpInput, { description: 'The new account.' }) input: SignUpInput,
    @Ctx() context: RequestContext,
  ): Promise<SignUpPayload> {
    await this.signUps.signUp(input, context);
    return { accepted: true };
  }

  @Mutation(() => VerifyEmailPayload, {
    nullable: true,
    description:
      'Makes the account, once, with the token of the mailed link and the password of that sign-up. Signing in is a step of its own.',
  })
  async verifyEmail(
    @Arg('input', () => VerifyEmailInput, { description: 'Link and password.' }) input: VerifyEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<VerifyEmailPayload> {
    const { userId, developerId } = await this.signUps.verifyEmail(input.token, input.password, context);
    return { viewer: { mustEnroll: false, userId, developerId, role: 'developer', teamRole: 'owner' } };
  }

  @Mutation(() => SubmitKycPayload, {
    nullable: true,
    description:
      'Hands KYC in, once the email address is confirmed, and again after a rejection or when something is to be mended. An admin or a reviewer decides.',
  })
  async submitKyc(
    @Arg('input', () => SubmitKycInput, { description: 'Who the account belongs to.' }) input: SubmitKycInput,
    @Ctx() context: RequestContext,
  ): Promise<SubmitKycPayload> {
    const developerId = ownAccountOf(context);
    await this.kyc.submit(developerId, input, actorOf(context));
    return { developer: await this.developers.byId(developerId) };
  }
}
