import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { viewerOf } from '../accounts/session.resolver.js';
import { Viewer } from '../accounts/session.types.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import type { KycService } from './kyc.service.js';
import { KycDocumentInput, KycInput, SignUpInput } from './onboarding.types.js';
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

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Always true, whether or not the address was new: the answer reveals nothing. A mail tells what to do.',
  })
  async signUp(
    @Arg('input', () => SignUpInput, { description: 'The new account.' }) input: SignUpInput,
    @Ctx() context: RequestContext,
  ): Promise<boolean> {
    await this.#signUps.signUp(input, context);
    return true;
  }

  @Mutation(() => Viewer, {
    nullable: true,
    description: 'Confirms an e-mail address with the token of the mailed link, once. Signing in is a step of its own.',
  })
  async verifyEmail(
    @Arg('token', { description: 'From the link; good for 24 hours.' }) token: string,
    @Ctx() context: RequestContext,
  ): Promise<Viewer> {
    const user = await this.#signUps.verifyEmail(token, context.requestId);
    const developerId = (user.developerId ?? undefined) as DeveloperId | undefined;
    return { id: user.id as UserId, name: user.name, email: user.email, role: user.role, developerId };
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
