import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { approvalRequestView } from '../../approval-requests/approval-request.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { STEP_UP_MS, type UserId } from '../../core/principal.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
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

/** What a user shows beside the password. */
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
    description: 'What the user shows beside the password; null where it is neither one’s own nor an admin who asks.',
  })
  @Entries(3)
  @RowsBeside(READ_TOGETHER)
  secondFactors(@Root() { id }: User, @Ctx() context: RequestContext): Promise<SecondFactor[]> | null {
    const { principal } = context;
    // signing in shows no more than who it is
    const canRead = principal?.kind === 'session' && (principal.userId === id || principal.role === 'admin');
    return canRead ? this.reader.ofUser(id) : null;
  }

  @Mutation(() => StartTotpPayload, {
    nullable: true,
    description: 'Begins to add an authenticator of one-time codes. It counts from confirmTotp on.',
  })
  startTotp(
    @Arg('input', () => StartTotpInput, { description: 'The password.' }) { currentPassword }: StartTotpInput,
    @Ctx() context: RequestContext,
  ): Promise<StartTotpPayload> {
    return this.factors.startTotp(sessionOf(context), currentPassword, context);
  }

  @Mutation(() => ConfirmTotpPayload, {
    nullable: true,
    description: 'Adds the authenticator. With the first factor all other sessions of the user end.',
  })
  async confirmTotp(
    @Arg('input', () => ConfirmTotpInput, { description: 'Its first code.' }) { code, name }: ConfirmTotpInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmTotpPayload> {
    return added(await this.factors.confirmTotp(sessionOf(context), code, name, context), context);
  }

  @Mutation(() => StartPasskeyPayload, {
    nullable: true,
    description: 'Begins to add a passkey. It counts from confirmPasskey on.',
  })
  async startPasskey(
    @Arg('input', () => StartPasskeyInput, { description: 'The password.' }) { currentPassword }: StartPasskeyInput,
    @Ctx() context: RequestContext,
  ): Promise<StartPasskeyPayload> {
    return { options: await this.factors.startPasskey(sessionOf(context), currentPassword, context) };
  }

  @Mutation(() => ConfirmPasskeyPayload, {
    nullable: true,
    description: 'Adds a passkey. With the first factor all other sessions of the user end.',
  })
  async confirmPasskey(
    @Arg('input', () => ConfirmPasskeyInput, { description: 'What the browser made.' })
    { passkey, name }: ConfirmPasskeyInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmPasskeyPayload> {
    return added(await this.factors.confirmPasskey(sessionOf(context), passkey, name, context), context);
  }

  @Mutation(() => StartPasskeySignInPayload, {
    nullable: true,
    description: 'What a browser needs to have a passkey shown: for signIn, or for confirmSecondFactor.',
  })
  async startPasskeySignIn(
    @Arg('input', () => StartPasskeySignInInput, { description: 'What for.' }) { use }: StartPasskeySignInInput,
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
    @Arg('input', () => ConfirmSecondFactorInput, { description: 'The factor.' })
    { newRecoveryCodes, ...proof }: ConfirmSecondFactorInput,
    @Ctx() context: RequestContext,
  ): Promise<ConfirmSecondFactorPayload> {
    const session = sessionOf(context);
    const { at, recoveryCodes } = await this.factors.confirm(session, proof, newRecoveryCodes, context);
    return { viewer: viewerOf(session), confirmedUntil: new Date(at.getTime() + STEP_UP_MS), recoveryCodes };
  }

  @Mutation(() => RemoveSecondFactorPayload, {
    nullable: true,
    description: 'Removes one of one’s own second factors. Recovery codes go with the last other one.',
  })
  async removeSecondFactor(
    @Arg('input', () => RemoveSecondFactorInput, { description: 'Which one.' }) { id }: RemoveSecondFactorInput,
    @Ctx() context: RequestContext,
  ): Promise<RemoveSecondFactorPayload> {
    const session = sessionOf(context);
    await this.factors.remove(session, recordId(id, 'fac', 'second factor'), context);
    return { viewer: viewerOf(session) };
  }

  @Mutation(() => ResetSecondFactorsPayload, {
    nullable: true,
    description:
      'Removes every second factor of somebody who has lost them, with all sessions: at the next sign-in they add new ones. Not for oneself: another admin does it, or the command line. Make sure of the person first, a developer’s by the KYC. Where roles take two people it is an approval request, which an administrator approves; the user and the owners of the account get an email.',
  })
  async resetSecondFactors(
    @Arg('input', () => ResetSecondFactorsInput, { description: 'Who, and why.' })
    { userId, reason }: ResetSecondFactorsInput,
    @Ctx() context: RequestContext,
  ): Promise<ResetSecondFactorsPayload> {
    const id = recordId(userId, 'usr', 'user');
    const { userId: own, role } = sessionOf(context);
    if (id === own) throw new AppError('FORBIDDEN', { message: 'Another admin has to do it.' });
    // a reviewer knows the KYC of developers, and decides nothing about staff
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
