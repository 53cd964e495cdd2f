import { sql } from 'kysely';
import { Field, ID, Int } from 'type-graphql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { type FieldProblem, validationError } from '../../core/errors.js';
import { type Paise, rupees } from '../../core/money.js';
import { type DeveloperId, SESSION_IDLE_MINUTES } from '../../core/principal.js';
import type { Service as ServiceKey } from '../../core/services.js';
import type { EntityManager } from '../../db/orm.js';
import { ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Agrees, AmountUpTo, Input, PositiveInteger, Range, Text } from '../../graphql-toolkit/rules.js';
import { Rupees } from '../../graphql-toolkit/scalars.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import type { EmailMessage } from '../../mails/mailer.port.js';
import { Reason, reinstate, suspend } from '../account.changes.js';
import { approvedMail, changesRequestedMail, liveAccessMail, type Notice, rejectedMail } from '../account.mails.js';
import { postCredit } from '../wallet-credit.js';
import {
  type HeldDeveloper,
  lockProduction,
  type OnboardingStep,
  type Traced,
  unlockProduction,
} from './developer.state.js';
import { openLabel } from './platform.service.js';
import { switchService } from './service-access.js';

/** Test funds in the UAT wallet of a new developer. */
export const PLAY_MONEY = rupees(2_00_000);
/** Highest fee. A larger one is assumed to be a mistake. */
export const MAX_FEE = rupees(10_000);
export const MAX_RATE_LIMIT = 1_000_000;
/** Highest duplicate guard in seconds. Rows of keyless_recharge are kept longer than this. */
const MAX_DUPLICATE_GUARD_S = 3_600;

@Input({ description: 'Developer.' })
export class OfDeveloper {
  @Field(() => ID, { description: 'ID of the developer.' })
  developerId!: string;
}

@Input({ description: 'Developer to change, and the reason for the change.' })
class Reasoned extends OfDeveloper {
  @Reason()
  reason!: string;
}

@Input({ description: 'Service to enable.' })
class ServiceGrantInput {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees. Default: 0. Calls in UAT are free.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

@Input({ description: 'Account to approve. Its KYC must be submitted.' })
class ApproveDeveloperInput extends OfDeveloper {
  @Field(() => [ServiceGrantInput], {
    nullable: true,
    description: 'Services to enable, each at most once. All other services remain disabled in both environments.',
  })
  @Agrees<ApproveDeveloperInput>(
    ({ services = [] }) => {
      // invalid grants are undefined at this point
      const named = services.flatMap((grant: Partial<ServiceGrantInput> | undefined) => grant?.service ?? []);
      return new Set(named).size === named.length;
    },
    'Must contain each service only once.',
    'ITEMS',
  )
  services?: ServiceGrantInput[];
}

@Input({ description: 'Account to reject. Its KYC must be submitted.' })
class RejectDeveloperInput extends OfDeveloper {
  @Field({ description: 'Reason, sent to the developer and kept in the audit log.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Account whose KYC needs changes.' })
class RequestKycChangesInput extends OfDeveloper {
  @Field({ description: 'Requested changes, sent to the developer and shown on the account.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'Account that gets Production access.' })
class UnlockProductionInput extends OfDeveloper {}

@Input({ description: 'Account that loses Production access.' })
class LockProductionInput extends Reasoned {}

@Input({ description: 'Account to suspend.' })
class SuspendDeveloperInput extends Reasoned {}

@Input({ description: 'Suspended account to reinstate.' })
class ReinstateDeveloperInput extends OfDeveloper {
  @Reason({ nullable: true })
  reason?: string;
}

@Input({ description: 'Access of a developer to a service.' })
class SetServiceAccessInput extends OfDeveloper {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Whether the developer can call the service. Takes effect on the next request.' })
  enabled!: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees. Unchanged if omitted.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

@Input({ description: 'Developer to move to a white label.' })
class MoveToWhiteLabelInput extends OfDeveloper {
  @Field(() => ID, { description: 'ID of the white label.' })
  whiteLabelId!: string;
}

@Input({ description: 'Developer to remove from its white label.' })
class RemoveFromWhiteLabelInput extends OfDeveloper {}

@Input({ description: 'Rate limit of a developer.' })
class SetRateLimitInput extends OfDeveloper {
  @Field(() => Int, { description: 'Maximum number of calls per minute and endpoint.' })
  @PositiveInteger()
  @Agrees<SetRateLimitInput>(
    ({ perMinute = 1 }) => perMinute <= MAX_RATE_LIMIT,
    `Must be between 1 and ${MAX_RATE_LIMIT}.`,
    { rule: 'RANGE', min: 1, max: MAX_RATE_LIMIT },
    { maximum: MAX_RATE_LIMIT },
  )
  perMinute!: number;
}

@Input({ description: 'Developer whose rate limit is reset to the default.' })
class ResetRateLimitInput extends OfDeveloper {}

@Input({ description: 'Period during which repeated recharges of a developer are rejected as duplicates.' })
class SetDuplicateGuardInput extends OfDeveloper {
  @Field(() => Int, {
    description:
      'Duration in seconds, at most 3600. During this time, a recharge without an idempotency key that repeats a successful recharge is rejected with LIKELY_DUPLICATE. With 0, it is processed with a warning.',
  })
  @Range(0, MAX_DUPLICATE_GUARD_S)
  seconds!: number;
}

@Input({ description: 'Idle limit of the sessions of users of an account.' })
class SetSessionIdleLimitInput extends OfDeveloper {
  @Field(() => Int, {
    description: `Number of minutes without a request after which a session expires: ${SESSION_IDLE_MINUTES.min} to ${SESSION_IDLE_MINUTES.max}.`,
  })
  @Range(SESSION_IDLE_MINUTES.min, SESSION_IDLE_MINUTES.max)
  minutes!: number;
}

@Input({ description: 'Token lifetime of a developer. Must not exceed the default.' })
class SetTokenLifetimeInput extends OfDeveloper {
  @Field(() => Int, { description: 'Number of days without use after which a token expires.' })
  @PositiveInteger()
  idleDays!: number;

  @Field(() => Int, { description: 'Maximum lifetime of a token in days, even if it is used.' })
  @PositiveInteger()
  maxDays!: number;
}

@Input({ description: 'Developer whose token lifetime is reset to the default.' })
class ResetTokenLifetimeInput extends OfDeveloper {}

/** Token lifetime of a developer, or the default. */
interface TokenLifetime {
  idleDays: number;
  maxDays: number;
}

/** Transaction of a verb, and the services that the verb calls in it. */
interface VerbTools {
  by: Actor;
  tx: EntityManager;
  ledger: LedgerService;
  audit: AuditService;
}

/**
 * A mutation about an account. `DeveloperService.change` does everything that all verbs have in common: it locks the account,
 * applies the onboarding step and the verb, and commits them together with the audit entry, which contains the `reason` of the
 * input.
 */
export interface Verb<In extends OfDeveloper> {
  /** Description of the mutation in the schema. */
  description: string;
  input: new () => In;
  /** Description of the argument `input` in the schema. */
  about: string;
  action: AuditAction;
  /** Onboarding step. Throws CONFLICT if `onboardingSteps` has no such step from the current state. */
  step?: OnboardingStep;
  /** Error message for input that only administrators may use. Undefined for other input. */
  adminsAlone?(input: In): string | undefined;
  /** Checks what the rules of the input cannot express. Runs before the account is read. */
  check?(input: In, usual: TokenLifetime): void;
  /** Returns the email to the owners. */
  mail?(notice: Notice, input: In): Omit<EmailMessage, 'id'>;
  /** Changes the account, or a record of the account. In the latter case, returns the audit entry of the record. */
  apply(developer: HeldDeveloper, input: In, tools: VerbTools): void | Traced | Promise<void | Traced>;
}

const verb = <In extends OfDeveloper>(row: Verb<In>): Verb<In> => row;

/** Verbs by the name of their mutation. The policy table defines who can call them. */
export const developerVerbs = {
  approveDeveloper: verb({
    description:
      'Approves an account with submitted KYC. Opens both wallets, adds test funds to the UAT wallet and enables the given services. If a service or fee is invalid, nothing is changed.',
    input: ApproveDeveloperInput,
    about: 'Developer, and the services to enable.',
    action: 'developer.approve',
    step: 'approve',
    mail: (notice) => approvedMail(notice),
    // reviewers judge KYC, but do not decide on services and fees
    adminsAlone: ({ services = [] }) =>
      services.length > 0 ? 'Only administrators can enable services. Approve without services.' : undefined,
    async apply(developer, { services = [] }, { by, tx, ledger, audit }) {
      developer.approvedAt = new Date();
      developer.approvedBy = by.actor;
      const developerId = developer.id as DeveloperId;
      await ledger.openWallets(developerId, tx);
      const credit = { environment: 'uat', amountPaise: PLAY_MONEY, reference: 'Test funds on approval' } as const;
      await postCredit({ developerId, ...credit }, by, { ledger, audit }, tx);
      for (const grant of services) {
        const traced = await switchService(developer.id, { ...grant, enabled: true }, by, tx);
        await audit.record(by, { action: 'service_access.set', ...traced }, tx);
      }
    },
  }),
  rejectDeveloper: verb({
    description: 'Rejects an account with submitted KYC.',
    input: RejectDeveloperInput,
    about: 'Developer to change, and the reason for the change.',
    action: 'developer.reject',
    step: 'reject',
    mail: (notice, { reason }) => rejectedMail(notice, reason),
    apply() {},
  }),
  requestKycChanges: verb({
    description:
      'Requests changes to submitted KYC. The developer receives an email with the reason and can edit and resubmit the KYC.',
    input: RequestKycChangesInput,
    about: 'Developer, and the requested changes.',
    action: 'developer.request_changes',
    step: 'request_changes',
    mail: (notice, { reason }) => changesRequestedMail(notice, reason),
    apply() {},
  }),
  unlockProduction: verb({
    description: 'Grants Production access to an approved account.',
    input: UnlockProductionInput,
    about: 'Developer that gets Production access.',
    action: 'developer.unlock_production',
    mail: (notice) => liveAccessMail(notice),
    apply: (developer) => unlockProduction(developer),
  }),
  // Production API keys and tokens do not work until Production access is granted again
  lockProduction: verb({
    description:
      'Revokes Production access. Takes effect on the next request. UAT is not affected. To grant access again, use `unlockProduction`.',
    input: LockProductionInput,
    about: 'Account, and the reason.',
    action: 'developer.lock_production',
    apply: (developer) => lockProduction(developer),
  }),
  // takes effect on the next request, because the principal is read for each; accepted orders continue, because the money
  // that they hold must be accounted for
  suspendDeveloper: verb({
    description:
      'Suspends an account. All its API keys and tokens stop working on the next request. Users of the account can still sign in and read. Orders that were already accepted are completed, and their webhooks are sent.',
    input: SuspendDeveloperInput,
    about: 'Account, and the reason.',
    action: 'developer.suspend',
    apply: (developer, { reason }) => suspend(developer, 'account', reason),
  }),
  reinstateDeveloper: verb({
    description: 'Reinstates a suspended account. Its API keys and tokens work again.',
    input: ReinstateDeveloperInput,
    about: 'Account to reinstate.',
    action: 'developer.reinstate',
    apply: (developer) => reinstate(developer, 'account'),
  }),
  setServiceAccess: verb({
    description: 'Enables or disables a service of a developer and sets the fee. Takes effect on the next request.',
    input: SetServiceAccessInput,
    about: 'Developer, service, access and fee.',
    action: 'service_access.set',
    apply: (developer, access, { by, tx }) => switchService(developer.id, access, by, tx),
  }),
  moveToWhiteLabel: verb({
    description: 'Moves a developer to a white label. The provider of the white label applies from then on.',
    input: MoveToWhiteLabelInput,
    about: 'Developer and white label.',
    action: 'developer.set_white_label',
    check: ({ whiteLabelId }) => void whiteLabelKey(whiteLabelId),
    async apply(developer, { whiteLabelId }, { tx }) {
      developer.whiteLabel = await openLabel(whiteLabelKey(whiteLabelId), tx);
    },
  }),
  removeFromWhiteLabel: verb({
    description: 'Removes a developer from its white label. The provider of the developer applies again.',
    input: RemoveFromWhiteLabelInput,
    about: 'Developer to remove from its white label.',
    action: 'developer.set_white_label',
    apply(developer) {
      developer.whiteLabel = null;
    },
  }),
  setRateLimit: verb({
    description: 'Sets the rate limit of a developer. Takes effect on the next request.',
    input: SetRateLimitInput,
    about: 'Developer and rate limit.',
    action: 'developer.set_rate_limit',
    apply(developer, { perMinute }) {
      developer.rateLimitPerMinute = perMinute;
    },
  }),
  resetRateLimit: verb({
    description: 'Resets the rate limit of a developer to the default. Takes effect on the next request.',
    input: ResetRateLimitInput,
    about: 'Developer whose rate limit is reset.',
    action: 'developer.set_rate_limit',
    apply(developer) {
      developer.rateLimitPerMinute = null;
    },
  }),
  setDuplicateGuard: verb({
    description:
      'Sets the duration of the duplicate guard, which rejects a recharge without an idempotency key that repeats a successful recharge. Developers set it for their own account, administrators for any account. Takes effect on the next request.',
    input: SetDuplicateGuardInput,
    about: 'Account and duration.',
    action: 'developer.set_duplicate_guard',
    apply(developer, { seconds }) {
      developer.duplicateGuardS = seconds;
    },
  }),
  setSessionIdleLimit: verb({
    description:
      'Sets the idle limit of the sessions of an account’s users. Applies to open sessions from their next request.',
    input: SetSessionIdleLimitInput,
    about: 'Account and idle limit.',
    action: 'developer.set_session_idle_limit',
    apply(developer, { minutes }) {
      developer.sessionIdleMinutes = minutes;
    },
  }),
  setTokenLifetime: verb({
    description: 'Shortens the token lifetime of a developer. Also applies to existing tokens.',
    input: SetTokenLifetimeInput,
    about: 'Developer and token lifetime.',
    action: 'developer.set_token_lifetime',
    check: (life, usual) => requireNotLonger(life, usual),
    async apply(developer, { idleDays, maxDays }, { tx }) {
      developer.tokenIdleDays = idleDays;
      developer.tokenMaxDays = maxDays;
      await sql`update access_token set expires_at = least(expires_at,
          last_used_at + ${idleDays}::integer * interval '1 day', created_at + ${maxDays}::integer * interval '1 day')
        where client_id in (select client_id from credential where developer_id = ${developer.id}) and revoked_at is null`.execute(
        tx.getKysely(),
      );
    },
  }),
  // existing tokens are extended on their next use
  resetTokenLifetime: verb({
    description: 'Resets the token lifetime of a developer to the default.',
    input: ResetTokenLifetimeInput,
    about: 'Developer whose token lifetime is reset.',
    action: 'developer.reset_token_lifetime',
    apply(developer) {
      developer.tokenIdleDays = null;
      developer.tokenMaxDays = null;
    },
  }),
} satisfies Record<string, Verb<OfDeveloper>>;

export type DeveloperVerb = keyof typeof developerVerbs;
export type InputOf<Name extends DeveloperVerb> = InstanceType<(typeof developerVerbs)[Name]['input']>;

const whiteLabelKey = (id: string): string => recordId(id, 'wlb', 'white label');

/** Throws VALIDATION_FAILED if the lifetime exceeds the default, which is a setting that the rules of the input cannot read. */
function requireNotLonger(life: TokenLifetime, usual: TokenLifetime): void {
  const problems = (['idleDays', 'maxDays'] as const).flatMap((name): FieldProblem[] => {
    const max = usual[name];
    const message = `Must be 1 to ${max} days.`;
    return life[name] > max ? [{ path: `input.${name}`, rule: 'RANGE', min: 1, max, message }] : [];
  });
  if (problems.length > 0) throw validationError(problems);
}
