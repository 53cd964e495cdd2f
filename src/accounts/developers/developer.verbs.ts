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
import type { Mail } from '../../mails/mailer.port.js';
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

/** What a new developer finds in the UAT wallet. */
export const PLAY_MONEY = rupees(2_00_000);
/** Above it a fee is a slip. */
export const MAX_FEE = rupees(10_000);
export const MAX_RATE_LIMIT = 1_000_000;
/** Rows of keyless_recharge live longer. */
const MAX_DUPLICATE_GUARD_S = 3_600;

@Input({ description: 'Which developer.' })
export class OfDeveloper {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;
}

@Input({ description: 'Which developer, and why.' })
class Reasoned extends OfDeveloper {
  @Reason()
  reason!: string;
}

@Input({ description: 'A service that is to be enabled.' })
class ServiceGrantInput {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees; 0 when left out. UAT never has a fee.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

@Input({ description: 'An account whose KYC is submitted.' })
class ApproveDeveloperInput extends OfDeveloper {
  @Field(() => [ServiceGrantInput], {
    nullable: true,
    description: 'What is enabled in the same act, each service once. The others stay off in both environments.',
  })
  @Agrees<ApproveDeveloperInput>(
    ({ services = [] }) => {
      // what has a problem of its own is absent
      const named = services.flatMap((grant: Partial<ServiceGrantInput> | undefined) => grant?.service ?? []);
      return new Set(named).size === named.length;
    },
    'Must name each service once.',
    'ITEMS',
  )
  services?: ServiceGrantInput[];
}

@Input({ description: 'An account whose KYC is refused.' })
class RejectDeveloperInput extends OfDeveloper {
  @Field({ description: 'Sent to the developer and kept in the audit log.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'An account whose KYC has something to mend.' })
class RequestKycChangesInput extends OfDeveloper {
  @Field({ description: 'What has to be mended: sent to the developer, and shown on the account.' })
  @Text(500)
  reason!: string;
}

@Input({ description: 'An account that is to have live access.' })
class UnlockProductionInput extends OfDeveloper {}

@Input({ description: 'An account whose live access ends.' })
class LockProductionInput extends Reasoned {}

@Input({ description: 'An account that is to be stopped.' })
class SuspendDeveloperInput extends Reasoned {}

@Input({ description: 'A stopped account that may go on.' })
class ReinstateDeveloperInput extends OfDeveloper {
  @Reason({ nullable: true })
  reason?: string;
}

@Input({ description: 'Access of one developer to one service.' })
class SetServiceAccessInput extends OfDeveloper {
  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: ServiceKey;

  @Field({ description: 'Felt on the next request.' })
  enabled!: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees; left out, it stays as it is.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

@Input({ description: 'A developer that is to belong to a white label.' })
class MoveToWhiteLabelInput extends OfDeveloper {
  @Field(() => ID, { description: 'Id of the white label.' })
  whiteLabelId!: string;
}

@Input({ description: 'A developer that is to belong to no white label.' })
class RemoveFromWhiteLabelInput extends OfDeveloper {}

@Input({ description: 'A rate limit of one developer’s own.' })
class SetRateLimitInput extends OfDeveloper {
  @Field(() => Int, { description: 'Calls per minute and endpoint.' })
  @PositiveInteger()
  @Agrees<SetRateLimitInput>(
    ({ perMinute = 1 }) => perMinute <= MAX_RATE_LIMIT,
    `Must be between 1 and ${MAX_RATE_LIMIT}.`,
    { rule: 'RANGE', min: 1, max: MAX_RATE_LIMIT },
    { maximum: MAX_RATE_LIMIT },
  )
  perMinute!: number;
}

@Input({ description: 'A developer that is to have the usual rate limit.' })
class ResetRateLimitInput extends OfDeveloper {}

@Input({ description: 'How long a developer is guarded against recharging twice without a key.' })
class SetDuplicateGuardInput extends OfDeveloper {
  @Field(() => Int, {
    description:
      'At most 3600: so many seconds a recharge without a key that is equal to a performed one is refused with LIKELY_DUPLICATE. 0: it is performed, with a warning.',
  })
  @Range(0, MAX_DUPLICATE_GUARD_S)
  seconds!: number;
}

@Input({ description: 'Idle limit of the sessions of an account’s users.' })
class SetSessionIdleLimitInput extends OfDeveloper {
  @Field(() => Int, {
    description: `Minutes without a request after which a session ends: ${SESSION_IDLE_MINUTES.min} to ${SESSION_IDLE_MINUTES.max}.`,
  })
  @Range(SESSION_IDLE_MINUTES.min, SESSION_IDLE_MINUTES.max)
  minutes!: number;
}

@Input({ description: 'How long the tokens of one developer live; at most as long as usual.' })
class SetTokenLifetimeInput extends OfDeveloper {
  @Field(() => Int, { description: 'Days without use after which a token ends.' })
  @PositiveInteger()
  idleDays!: number;

  @Field(() => Int, { description: 'Days after which it ends although it is used.' })
  @PositiveInteger()
  maxDays!: number;
}

@Input({ description: 'A developer whose tokens live as long as usual again.' })
class ResetTokenLifetimeInput extends OfDeveloper {}

/** How long tokens live: of one developer, or as usual. */
interface TokenLifetime {
  idleDays: number;
  maxDays: number;
}

/** The transaction that a verb is part of, and the services that it calls in it. */
interface VerbTools {
  by: Actor;
  tx: EntityManager;
  ledger: LedgerService;
  audit: AuditService;
}

/**
 * One mutation about an account. `DeveloperService.change` does what all have in common: it locks the account, takes the step, applies
 * the verb, and commits together with the audit entry, which has the `reason` of the input.
 */
export interface Verb<In extends OfDeveloper> {
  /** Of the mutation. */
  description: string;
  input: new () => In;
  /** Of the argument `input`. */
  about: string;
  action: AuditAction;
  /** Errors: CONFLICT where `onboardingSteps` has no such step from where the account is. */
  step?: OnboardingStep;
  /** What only an admin may say in it, where others may take the same decision: the refusal, or undefined. */
  adminsAlone?(input: In): string | undefined;
  /** Checks what no rule of the input can; it runs before the account is read. */
  check?(input: In, usual: TokenLifetime): void;
  /** The email to the owner. */
  mail?(notice: Notice, input: In): Omit<Mail, 'id'>;
  /** Changes the account. One that changes something below it instead returns what the audit log shows of that. */
  apply(developer: HeldDeveloper, input: In, tools: VerbTools): void | Traced | Promise<void | Traced>;
}

const verb = <In extends OfDeveloper>(row: Verb<In>): Verb<In> => row;

/** One row for each mutation, by its name. Who may call it stands in the policy table. */
export const developerVerbs = {
  approveDeveloper: verb({
    description:
      'Approves an account whose KYC is submitted: both wallets open, play money is in the UAT one, and the services that are named are enabled. One wrong service or fee, and nothing happens.',
    input: ApproveDeveloperInput,
    about: 'Which developer, and what is enabled.',
    action: 'developer.approve',
    step: 'approve',
    mail: (notice) => approvedMail(notice),
    // a reviewer judges KYC: what an account may call, and for which fee, is another decision
    adminsAlone: ({ services = [] }) =>
      services.length > 0 ? 'Only an admin enables services: approve without them.' : undefined,
    async apply(developer, { services = [] }, { by, tx, ledger, audit }) {
      developer.approvedAt = new Date();
      developer.approvedBy = by.actor;
      const developerId = developer.id as DeveloperId;
      await ledger.openWallets(developerId, tx);
      const credit = { environment: 'uat', amountPaise: PLAY_MONEY, reference: 'Play money on approval' } as const;
      await postCredit({ developerId, ...credit }, by, { ledger, audit }, tx);
      for (const grant of services) {
        const traced = await switchService(developer.id, { ...grant, enabled: true }, by, tx);
        await audit.record(by, { action: 'service_access.set', ...traced }, tx);
      }
    },
  }),
  rejectDeveloper: verb({
    description: 'Refuses an account whose KYC is submitted.',
    input: RejectDeveloperInput,
    about: 'Which developer, and why.',
    action: 'developer.reject',
    step: 'reject',
    mail: (notice, { reason }) => rejectedMail(notice, reason),
    apply() {},
  }),
  requestKycChanges: verb({
    description:
      'Gives KYC back to be mended: the developer gets an email with the reason, changes what was handed in and hands it in again.',
    input: RequestKycChangesInput,
    about: 'Which developer, and what has to be mended.',
    action: 'developer.request_changes',
    step: 'request_changes',
    mail: (notice, { reason }) => changesRequestedMail(notice, reason),
    apply() {},
  }),
  unlockProduction: verb({
    description: 'Live access for an approved account.',
    input: UnlockProductionInput,
    about: 'Which developer.',
    action: 'developer.unlock_production',
    mail: (notice) => liveAccessMail(notice),
    apply: (developer) => unlockProduction(developer),
  }),
  // no live key or token works until live access is unlocked again
  lockProduction: verb({
    description: 'Ends live access, from the next request on: the opposite of unlockProduction. UAT goes on.',
    input: LockProductionInput,
    about: 'Which account, and why.',
    action: 'developer.lock_production',
    apply: (developer) => lockProduction(developer),
  }),
  // works from the next request on, because the principal is read anew for each; accepted orders go on, because the money that they
  // hold has to be accounted for
  suspendDeveloper: verb({
    description:
      'Stops every key and token of an account, from the next request on. Its people may still sign in and read; orders that were accepted before run to their end, and their webhooks go out.',
    input: SuspendDeveloperInput,
    about: 'Which account, and why.',
    action: 'developer.suspend',
    apply: (developer, { reason }) => suspend(developer, 'account', reason),
  }),
  reinstateDeveloper: verb({
    description: 'Keys and tokens of a suspended account work again.',
    input: ReinstateDeveloperInput,
    about: 'Which account.',
    action: 'developer.reinstate',
    apply: (developer) => reinstate(developer, 'account'),
  }),
  setServiceAccess: verb({
    description: 'Switches one service of a developer and sets its fee; felt on the next request.',
    input: SetServiceAccessInput,
    about: 'Which service, and how.',
    action: 'service_access.set',
    apply: (developer, access, { by, tx }) => switchService(developer.id, access, by, tx),
  }),
  moveToWhiteLabel: verb({
    description: 'Puts a developer under a white label, whose provider counts from then on.',
    input: MoveToWhiteLabelInput,
    about: 'Which developer, and where to.',
    action: 'developer.set_white_label',
    check: ({ whiteLabelId }) => void whiteLabelKey(whiteLabelId),
    async apply(developer, { whiteLabelId }, { tx }) {
      developer.whiteLabel = await openLabel(whiteLabelKey(whiteLabelId), tx);
    },
  }),
  removeFromWhiteLabel: verb({
    description: 'Puts a developer back on the platform: its own provider counts again.',
    input: RemoveFromWhiteLabelInput,
    about: 'Which developer.',
    action: 'developer.set_white_label',
    apply(developer) {
      developer.whiteLabel = null;
    },
  }),
  setRateLimit: verb({
    description: 'Another rate limit for one developer. Felt on the next request.',
    input: SetRateLimitInput,
    about: 'Which developer, and how much.',
    action: 'developer.set_rate_limit',
    apply(developer, { perMinute }) {
      developer.rateLimitPerMinute = perMinute;
    },
  }),
  resetRateLimit: verb({
    description: 'The usual rate limit for a developer again. Felt on the next request.',
    input: ResetRateLimitInput,
    about: 'Which developer.',
    action: 'developer.set_rate_limit',
    apply(developer) {
      developer.rateLimitPerMinute = null;
    },
  }),
  setDuplicateGuard: verb({
    description:
      'For how long a recharge without a key that repeats a performed one is refused: of one’s own account, or by an admin of any. Felt on the next request.',
    input: SetDuplicateGuardInput,
    about: 'Whose, and how long.',
    action: 'developer.set_duplicate_guard',
    apply(developer, { seconds }) {
      developer.duplicateGuardS = seconds;
    },
  }),
  setSessionIdleLimit: verb({
    description:
      'Sets the idle limit of the sessions of an account’s users. It applies to open sessions from their next request on.',
    input: SetSessionIdleLimitInput,
    about: 'Account and idle limit.',
    action: 'developer.set_session_idle_limit',
    apply(developer, { minutes }) {
      developer.sessionIdleMinutes = minutes;
    },
  }),
  setTokenLifetime: verb({
    description: 'A shorter life for the tokens of one developer, those that live already included.',
    input: SetTokenLifetimeInput,
    about: 'Whose, and how long.',
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
  // a token that lives notices with its next use
  resetTokenLifetime: verb({
    description: 'The tokens of a developer live as long as usual again.',
    input: ResetTokenLifetimeInput,
    about: 'Whose.',
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

/** What is usual is a setting, which no rule of the input knows. Errors: VALIDATION_FAILED. */
function requireNotLonger(life: TokenLifetime, usual: TokenLifetime): void {
  const problems = (['idleDays', 'maxDays'] as const).flatMap((name): FieldProblem[] => {
    const max = usual[name];
    const message = `Must be 1 to ${max} days.`;
    return life[name] > max ? [{ path: `input.${name}`, rule: 'RANGE', min: 1, max, message }] : [];
  });
  if (problems.length > 0) throw validationError(problems);
}
