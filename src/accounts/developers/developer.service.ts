import type { MikroORM } from '@mikro-orm/postgresql';
import { requesterOf } from '../../approval-requests/approval-request.service.js';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import type { EmailMessage } from '../../mails/mailer.port.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { type PartOf, unlessTaken } from '../account.changes.js';
import { DeveloperEntity } from '../account.entities.js';
import { isCommand, mailOwner, type Notice } from '../account.mails.js';
import type { TokenOptions } from '../keys/token.service.js';
import {
  advance,
  type HeldDeveloper,
  lockDeveloper,
  type OnboardingStep,
  requestProduction,
  requireOpen,
  stateOf,
  subjectOf,
  type Traced,
} from './developer.state.js';
import { type DeveloperVerb, developerVerbs, type InputOf, type OfDeveloper, type Verb } from './developer.verbs.js';

interface DeveloperParts {
  orm: MikroORM;
  ledger: LedgerService;
  audit: AuditService;
  /** Default token lifetime, for accounts without their own. */
  tokens: Pick<TokenOptions, 'tokenIdleDays' | 'tokenMaxDays'>;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/** Change of an account: the onboarding step and further changes. */
interface Change {
  action: AuditAction;
  step?: OnboardingStep | undefined;
  reason?: string | undefined;
  mail?: ((notice: Notice) => Omit<EmailMessage, 'id'>) | undefined;
  apply?(developer: HeldDeveloper, tx: EntityManager): void | Traced | Promise<void | Traced>;
}

/**
 * Changes of developer accounts. Every change locks its row and commits together with its audit entry. If two administrators make
 * conflicting changes at the same time, the second one gets CONFLICT.
 */
export class DeveloperService {
  constructor(private readonly parts: DeveloperParts) {}

  /** Creates an account that has not submitted KYC. Throws CONFLICT if the address is taken. */
  async register(account: { name: string; email: string }, by: Actor, em?: EntityManager): Promise<DeveloperId> {
    return this.#transaction(em, async (tx) => {
      const email = account.email.trim().toLowerCase();
      const developer = tx.create(DeveloperEntity, { name: account.name, email });
      await unlessTaken('An account with this email address already exists.', tx.persist(developer).flush());
      await this.parts.audit.record(
        by,
        { action: 'developer.register', subject: subjectOf(developer.id), before: null, after: stateOf(developer) },
        tx,
      );
      return developer.id as DeveloperId;
    });
  }

  /** Marks the address as verified. Throws CONFLICT if it is already verified. */
  markEmailVerified(developerId: DeveloperId, by: Actor, em?: EntityManager): Promise<void> {
    return this.#change(developerId, { action: 'developer.verify_email', step: 'verify_email' }, by, { tx: em });
  }

  /** Marks KYC as submitted for review. Throws CONFLICT if `onboardingSteps` has no such step. */
  markKycSubmitted(developerId: DeveloperId, by: Actor, em?: EntityManager): Promise<void> {
    return this.#change(developerId, { action: 'developer.submit_kyc', step: 'submit_kyc' }, by, { tx: em });
  }

  /** Requests Production access. Only one request can be pending. Throws CONFLICT. */
  requestProduction(developerId: DeveloperId, message: string | undefined, by: Actor): Promise<void> {
    const apply = (developer: HeldDeveloper): void => requestProduction(developer, message);
    return this.#change(developerId, { action: 'developer.request_production', reason: message, apply }, by, {});
  }

  /** Sets the recharge provider of a platform developer. Throws CONFLICT if the developer has a white label. */
  assignProvider(developerId: DeveloperId, provider: RechargeProvider, by: Actor, how: PartOf = {}): Promise<void> {
    const apply = (developer: HeldDeveloper): void => {
      if (developer.whiteLabel) {
        throw new AppError('CONFLICT', {
          message: 'This developer belongs to a white label. Assign the provider to the white label.',
        });
      }
      developer.rechargeProvider = provider;
    };
    return this.#change(developerId, { action: 'developer.assign_provider', reason: how.reason, apply }, by, how);
  }

  /** Runs a verb of the table. Throws RECORD_NOT_FOUND and the errors of the verb. */
  change<Name extends DeveloperVerb>(name: Name, input: InputOf<Name>, by: Actor, how: PartOf = {}): Promise<void> {
    const { action, step, check, mail, apply }: Verb<OfDeveloper> = developerVerbs[name];
    const { ledger, audit, tokens } = this.parts;
    const developerId = developerIdOf(input.developerId);
    check?.(input, { idleDays: tokens.tokenIdleDays, maxDays: tokens.tokenMaxDays });
    const { reason = how.reason } = input as { reason?: string };
    return this.#change(
      developerId,
      {
        action,
        step,
        reason,
        mail: mail && ((notice) => mail(notice, input)),
        apply: (developer, tx) => apply(developer, input, { by, tx, ledger, audit }),
      },
      by,
      how,
    );
  }

  #change(
    developerId: DeveloperId,
    { action, step, reason, mail, apply }: Change,
    by: Actor,
    { tx: em, approvalRequest }: PartOf,
  ): Promise<void> {
    const work = async (tx: EntityManager): Promise<void> => {
      const developer = await lockDeveloper(developerId, tx);
      requireOpen(developer);
      const before = stateOf(developer);
      if (step) advance(developer, step, reason);
      const below = await apply?.(developer, tx);
      await tx.flush();
      const traced = below ?? { subject: subjectOf(developerId), before, after: stateOf(developer) };
      const after = { ...traced.after, ...(approvalRequest && requesterOf(approvalRequest)) };
      await this.parts.audit.record(by, { action, ...traced, after, reason: reason || undefined }, tx);
      if (mail) await mailOwner(this.parts, developerId, { by, clientId: null }, mail, tx);
    };
    return mail && !em && !isCommand(by) ? withEmails(this.parts, work) : this.#transaction(em, work);
  }

  #transaction<T>(em: EntityManager | undefined, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return em ? work(em) : inTransaction(this.parts.orm, work);
  }
}
