import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import type { DevelopersReader } from '../accounts/developers.reader.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import type { KycService } from './kyc.service.js';
import { documentNodeId } from './kyc-review.types.js';
import {
  SignUpInput,
  SignUpPayload,
  SubmitKycInput,
  SubmitKycPayload,
  UploadKycDocumentInput,
  UploadKycDocumentPayload,
  VerifyEmailInput,
  VerifyEmailPayload,
} from './onboarding.types.js';
import type { SignUpService } from './sign-up.service.js';

/** Sign-up and KYC on the console host. */
@Resolver()
export class OnboardingResolver {
  readonly #signUps: SignUpService;
  readonly #kyc: KycService;
  readonly #developers: DevelopersReader;

  constructor(signUps: SignUpService, kyc: KycService, developers: DevelopersReader) {
    this.#signUps = signUps;
    this.#kyc = kyc;
    this.#developers = developers;
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

  @Mutation(() => UploadKycDocumentPayload, {
    nullable: true,
    description: 'One document per call, at most 5 MiB and 10 until they are submitted.',
  })
  async uploadKycDocument(
    @Arg('input', () => UploadKycDocumentInput, { description: 'The document.' }) input: UploadKycDocumentInput,
    @Ctx() context: RequestContext,
  ): Promise<UploadKycDocumentPayload> {
    const developerId = ownAccount(context);
    const id = await this.#kyc.upload(developerId, input, context.addressKey, actorOf(context));
    return { documentId: documentNodeId(developerId, id) };
  }

  @Mutation(() => SubmitKycPayload, {
    nullable: true,
    description: 'Hands KYC in, once the e-mail address is confirmed and again after a rejection. An admin decides.',
  })
  async submitKyc(
    @Arg('input', () => SubmitKycInput, { description: 'Who the account belongs to.' }) input: SubmitKycInput,
    @Ctx() context: RequestContext,
  ): Promise<SubmitKycPayload> {
    const developerId = ownAccount(context);
    await this.#kyc.submit(developerId, input, actorOf(context));
    return { developer: await this.#developers.byId(developerId) };
  }
}

/** The account of the signed-in developer. Errors: FORBIDDEN for anybody without one. */
function ownAccount(context: RequestContext): DeveloperId {
  const { developerId } = sessionOf(context);
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
