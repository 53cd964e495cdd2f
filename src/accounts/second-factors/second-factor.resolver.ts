import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { approvalRequestView } from '../../approval-requests/approval-request.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { STEP_UP_MS, type UserId } from '../../core/principal.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { actingUserOf } from '../account.changes.js';
import type { AccountChangeService } from '../developers/account-change.service.js';
import type { PeopleReader } from '../people/people.reader.js';
import { User } from '../people/people.types.js';
import { viewerOf } from '../people/session.resolver.js';
import { SIGN_IN } from '../people/session.service.js';
import { type AddedFactor, type SecondFactorService, toConfirm } from './second-factor.service.js';
import type { SecondFactorReader } from './second-factor.store.js';
import {
  ConfirmPasskeyInput,
  ConfirmPasskeyPayload,
  ConfirmSecondFactorInput,
  ConfirmSecondFactorPayload,
  ConfirmTotpInput,
  ConfirmTotpPayload,
  RemoveSecondFactorInput,
  RemoveSecondFactorPayload,
  ResetSecondFactorsInput,
  ResetSecondFactorsPayload,
  SecondFactor,
  StartPasskeyInput,
  StartPasskeyPayload,
  StartPasskeySignInInput,
  StartPasskeySignInPayload,
  StartTotpInput,
  StartTotpPayload,
} from './second-factor.types.js';

/** Resolver for the second factors of users. */
@Resolver(() => User)
export class SecondFactorResolver {
  constructor(
    private readonly factors: SecondFactorService,
    private readonly reader: SecondFactorReader,
    private readonly people: PeopleReader,
    private readonly accountChanges: AccountChangeService,
  ) {}

  @FieldResolver(() => [SecondFactor], {
    nullable: true,
    description: 'Second factors of the user. Null unless the user or an administrator reads them.',
  })
  @Entries(3)
  @ExtraReads(READ_TOGETHER)
  secondFactors(@Root() { id }: User, @Ctx() context: RequestContext): Promise<SecondFactor[]> | null {
    const { principal } = context;
    // the response of a sign-in shows only the identity of the user
    const canRead = principal?.kind === 'session' && (principal.userId === id || principal.role === 'admin');
    return canRead ? this.reader.ofUser(id) : null;
  }

  @Mutation(() => StartTotpPayload, {
    nullable: true,
    description:
      'Starts adding an authenticator app for one-time codes. The authenticator app is active after `confirmTotp`.',
  })
  startTotp(
    @Arg('input', () => StartTotpInput, { description: 'Current password.' }) { currentPassword }: StartTotpInput,
    @Ctx() context: RequestContext,
  ): Promise<StartTotpPayload> {
    return this.factors.startTotp(sessionOf(context), currentPassword, context);
  }

  @Mutation(() => ConfirmTotpPayload, {
    nullable: true,
    description:
      'Adds the authenticator app. If it is the first second factor, all other sessions of the user are revoked.',
  })
  async confirmTotp(
    @Arg('input', () => ConfirmTotpInput, { description: 'First code, and a name.' }) { code, name }: ConfirmTotpInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmTotpPayload> {
    return added(await this.factors.confirmTotp(sessionOf(context), code, name, context), context);
  }

  @Mutation(() => StartPasskeyPayload, {
    nullable: true,
    description: 'Starts adding a passkey. The passkey is active after `confirmPasskey`.',
  })
  async startPasskey(
    @Arg('input', () => StartPasskeyInput, { description: 'Current password.' }) { currentPassword }: StartPasskeyInput,
    @Ctx() context: RequestContext,
  ): Promise<StartPasskeyPayload> {
    return { options: await this.factors.startPasskey(sessionOf(context), currentPassword, context) };
  }

  @Mutation(() => ConfirmPasskeyPayload, {
    nullable: true,
    description: 'Adds the passkey. If it is the first second factor, all other sessions of the user are revoked.',
  })
  async confirmPasskey(
    @Arg('input', () => ConfirmPasskeyInput, {
      description: 'Passkey credential created by the browser, and a name for the passkey.',
    })
    { passkey, name }: ConfirmPasskeyInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmPasskeyPayload> {
    return added(await this.factors.confirmPasskey(sessionOf(context), passkey, name, context), context);
  }

  @Mutation(() => StartPasskeySignInPayload, {
    nullable: true,
    description: 'Returns the options with which a browser requests a passkey, for `signIn` or `confirmSecondFactor`.',
  })
  async startPasskeySignIn(
    @Arg('input', () => StartPasskeySignInInput, { description: 'Purpose of the passkey response.' }) {
      use,
    }: StartPasskeySignInInput,
    @Ctx() context: RequestContext,
  ): Promise<StartPasskeySignInPayload> {
    return { options: await this.factors.toShow(use === 'confirm' ? toConfirm(sessionOf(context)) : SIGN_IN) };
  }

  @Mutation(() => ConfirmSecondFactorPayload, {
    nullable: true,
    description:
      'Verifies a second factor for operations that fail with STEP_UP_REQUIRED. The verification is valid for 5 minutes.',
  })
  async confirmSecondFactor(
    @Arg('input', () => ConfirmSecondFactorInput, { description: 'Code or passkey.' })
    { newRecoveryCodes, ...proof }: ConfirmSecondFactorInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmSecondFactorPayload> {
    const session = sessionOf(context);
    const { at, recoveryCodes } = await this.factors.confirm(session, proof, newRecoveryCodes, context);
    return { viewer: viewerOf(session), confirmedUntil: new Date(at.getTime() + STEP_UP_MS), recoveryCodes };
  }

  @Mutation(() => RemoveSecondFactorPayload, {
    nullable: true,
    description: 'Removes one of your second factors. Recovery codes are removed with the last other factor.',
  })
  async removeSecondFactor(
    @Arg('input', () => RemoveSecondFactorInput, { description: 'Second factor to remove.' }) {
      id,
    }: RemoveSecondFactorInput,
    @Ctx() context: RequestContext,
  ): Promise<RemoveSecondFactorPayload> {
    const session = sessionOf(context);
    await this.factors.remove(session, recordId(id, 'fac', 'second factor'), context);
    return { viewer: viewerOf(session) };
  }

  @Mutation(() => ResetSecondFactorsPayload, {
    nullable: true,
    description:
      'Removes all second factors and sessions of a user who has lost their factors. The user adds new factors at the next sign-in. Verify the identity of the user first; for a developer, use the KYC. You cannot reset your own factors. If role changes require a second person, this creates an approval request for an administrator. The user and the owners of the account receive an email.',
  })
  async resetSecondFactors(
    @Arg('input', () => ResetSecondFactorsInput, { description: 'User, and the reason.' })
    { userId, reason }: ResetSecondFactorsInput,
    @Ctx() context: RequestContext,
  ): Promise<ResetSecondFactorsPayload> {
    const id = recordId(userId, 'usr', 'user');
    const { userId: own, role } = sessionOf(context);
    if (id === own)
      throw new AppError('FORBIDDEN', { message: 'Another administrator must reset your second factors.' });
    // Reviewers can see the KYC data of developers, but cannot manage staff.
    if (role !== 'admin' && (await this.people.find(id))?.developerId === null) throw new AppError('FORBIDDEN');
    const { approvalRequest } = await this.accountChanges.resetFactors(id as UserId, reason, actingUserOf(context));
    return {
      user: (await this.people.find(id))!,
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }
}

function added({ opened, recoveryCodes }: AddedFactor, context: RequestContext): ConfirmTotpPayload {
  if (opened) context.setSession?.(opened);
  return {
    viewer: viewerOf(sessionOf(context)),
    recoveryCodes,
    token: opened?.token ?? null,
    expiresAt: opened?.expiresAt ?? null,
  };
}
