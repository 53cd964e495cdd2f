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

/** Resolver for sign-up and KYC in the console. */
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
      'Signs up for an account. The response is the same whether or not the address has an account; an email explains the next step.',
  })
  async signUp(
    @Arg('input', () => SignUpInput, { description: 'Details of the new account.' }) input: SignUpInput,
    @Ctx() context: RequestContext,
  ): Promise<SignUpPayload> {
    await this.signUps.signUp(input, context);
    return { accepted: true };
  }

  @Mutation(() => VerifyEmailPayload, {
    nullable: true,
    description:
      'Creates the account with the single-use token from the emailed link and the password chosen at sign-up. To sign in, use `signIn`.',
  })
  async verifyEmail(
    @Arg('input', () => VerifyEmailInput, { description: 'Token from the link, and password.' })
    input: VerifyEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<VerifyEmailPayload> {
    const { userId, developerId } = await this.signUps.verifyEmail(input.token, input.password, context);
    return { viewer: { mustEnroll: false, userId, developerId, role: 'developer', teamRole: 'owner' } };
  }

  @Mutation(() => SubmitKycPayload, {
    nullable: true,
    description:
      'Submits KYC for review by an administrator or reviewer. Possible after the email address is confirmed, and again after a rejection or requested changes.',
  })
  async submitKyc(
    @Arg('input', () => SubmitKycInput, { description: 'Identity and documents of the account holder.' })
    input: SubmitKycInput,
    @Ctx() context: RequestContext,
  ): Promise<SubmitKycPayload> {
    const developerId = ownAccountOf(context);
    await this.kyc.submit(developerId, input, actorOf(context));
    return { developer: await this.developers.byId(developerId) };
  }
}
