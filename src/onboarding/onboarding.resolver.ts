import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { viewerOf } from '../accounts/session.resolver.js';
import { Viewer } from '../accounts/session.types.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { KycService } from './kyc.service.js';
import {
  KycDocumentInput,
  KycInput,
  SignUpInput,
  SignUpPayload,
  VerifyEmailInput,
  VerifyEmailPayload,
} from './onboarding.types.js';
import type { SignUpService } from './sign-up.service.js';

/** Sign-up and KYC on the console host. */
@Resolver()
export class OnboardingResolver {
  readonly #signUps: SignUpService;
  readonly #kyc: KycService;

  constructor(signUps: SignUpService, kyc: KycService) {
    this.#signUps = signUps;
    this.#kyc = kyc;
  }

  @Mutation(() => SignUpPayload, {
    nullable: true,
    description:
      'Asks for an account. The answer is the same whether or not the address has one: a mail tells what to do.',
  })
  async signUp(
    @Arg('input', () => SignUpInput, { description: 'The new account.' }) input: SignUpInput,
    @Ctx() context: RequestContext,
  ): Promise<SignUpPayload> {
    await this.#signUps.signUp(input, context);
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
    const { userId, ...account } = await this.#signUps.verifyEmail(input.token, input.password, context);
    return { viewer: { id: userId, role: 'developer', ...account } };
  }

  @Mutation(() => ID, {
    nullable: true,
    description: 'One document per call, at most 5 MiB and 10 until they are submitted. Returns its id.',
  })
  async uploadKycDocument(
    @Arg('input', () => KycDocumentInput, { description: 'The document.' }) input: KycDocumentInput,
    @Ctx() context: RequestContext,
  ): Promise<string> {
    return this.#kyc.upload(ownAccount(context), input, context.addressKey, actorOf(context));
  }

  @Mutation(() => Viewer, {
    nullable: true,
    description: 'Hands KYC in, once the e-mail address is confirmed and again after a rejection. An admin decides.',
  })
  async submitKyc(
    @Arg('input', () => KycInput, { description: 'Who the account belongs to.' }) input: KycInput,
    @Ctx() context: RequestContext,
  ): Promise<Viewer> {
    await this.#kyc.submit(ownAccount(context), input, actorOf(context));
    return viewerOf(sessionOf(context));
  }
}

/** The account of the signed-in developer. Errors: FORBIDDEN for anybody without one. */
function ownAccount(context: RequestContext): DeveloperId {
  const { developerId } = sessionOf(context);
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
