import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { AppError, fieldError } from '../../core/errors.js';
import { type Paise, rupees } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import type { LedgerService } from '../../ledger/ledger.service.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { DeveloperEntity, type DeveloperRow, ServiceAccessEntity, WhiteLabelEntity } from '../account.entities.js';
import { unlessTaken } from '../unique.js';
import { postCredit, type WalletCredit } from '../wallet-credit.js';
import { advance, changeDeveloper, lockDeveloper, requireStatus, stateOf, subjectOf } from './developer.state.js';

/** What a new developer finds in the UAT wallet. */
export const PLAY_MONEY = rupees(2_00_000);
const MAX_RATE_LIMIT = 1_000_000;
/** Rows of keyless_recharge live longer. */
const MAX_DUPLICATE_GUARD_S = 3_600;

/** A service that an approval enables. Its fee per call is 0 unless it is given. */
export interface ServiceGrant {
  service: Service;
  feePaise?: Paise | undefined;
}

/**
 * What an admin does with a developer's account. Every change locks the row it decides on, and commits together with its
 * audit entry; of two admins who decide at once, one wins and the other gets CONFLICT.
 */
export class DeveloperService {
  readonly #orm: MikroORM;
  readonly #ledger: LedgerService;
  readonly #audit: AuditService;

  constructor(orm: MikroORM, ledger: LedgerService, audit: AuditService) {
    this.#orm = orm;
    this.#ledger = ledger;
    this.#audit = audit;
  }

  /** A new account, before KYC. Errors: CONFLICT when the address is taken. */
  async register(account: { name: string; email: string }, by: Actor, em?: EntityManager): Promise<DeveloperId> {
    return this.#transaction(em, async (tx) => {
      const email = account.email.trim().toLowerCase();
      const developer = tx.create(DeveloperEntity, { name: account.name, email });
      await unlessTaken('There is an account with this e-mail address.', tx.persist(developer).flush());
      await this.#audit.record(
        by,
        { action: 'developer.register', subject: subjectOf(developer.id), before: null, after: stateOf(developer) },
        tx,
      );
      return developer.id as DeveloperId;
    });
  }

  /** The address is the applicant's own. Errors: CONFLICT when it is verified already. */
  async markEmailVerified(developerId: DeveloperId, by: Actor, em?: EntityManager): Promise<void> {
    await this.#change(developerId, 'developer.verify_email', by, em, (developer) =>
      advance(developer, 'verify_email'),
    );
  }

  /** KYC is in: the account waits for an admin. Errors: CONFLICT unless the address is verified or KYC was rejected. */
  async markKycSubmitted(developerId: DeveloperId, by: Actor, em?: EntityManager): Promise<void> {
    await this.#change(developerId, 'developer.submit_kyc', by, em, (developer) => advance(developer, 'submit_kyc'));
  }

  /**
   * Approval opens both wallets, puts play money into the UAT one and enables the services that are given, in one transaction.
   * Errors: CONFLICT unless KYC was submitted.
   */
  async approve(developerId: DeveloperId, by: Actor, services: readonly ServiceGrant[] = []): Promise<DeveloperRow> {
    return this.#change(developerId, 'developer.approve', by, undefined, async (developer, tx) => {
      advance(developer, 'approve');
      developer.approvedAt = new Date();
      developer.approvedBy = by.actor;
      await this.#ledger.openWallets(developerId, tx);
      await postCredit(
        { developerId, environment: 'uat', amountPaise: PLAY_MONEY, reference: 'Play money on approval' },
        by,
        { ledger: this.#ledger, audit: this.#audit },
        tx,
      );
      for (const { service, feePaise } of services)
        await this.#setAccess(developerId, { service, enabled: true, feePaise }, by, tx);
    });
  }

  /** Errors: CONFLICT unless KYC was submitted. */
  async reject(developerId: DeveloperId, reason: string, by: Actor): Promise<DeveloperRow> {
    return this.#change(
      developerId,
      'developer.reject',
      by,
      undefined,
      (developer) => advance(developer, 'reject', reason),
      reason,
    );
  }

  /** Live access. Errors: CONFLICT unless approved, or when it is unlocked already. */
  async unlockProduction(developerId: DeveloperId, by: Actor): Promise<DeveloperRow> {
    return this.#change(developerId, 'developer.unlock_production', by, undefined, (developer) => {
      requireStatus(developer, 'approved');
      if (developer.productionUnlocked) throw new AppError('CONFLICT', { message: 'Live access is unlocked already.' });
      developer.productionUnlocked = true;
    });
  }

  /** Switches one service and, when `feePaise` is given, sets its fee per call. Felt on the next request everywhere. */
  async setServiceAccess(
    developerId: DeveloperId,
    service: Service,
    enabled: boolean,
    feePaise: Paise | undefined,
    by: Actor,
  ): Promise<DeveloperRow> {
    return this.#transaction(undefined, async (tx) => {
      const developer = await lockDeveloper(developerId, tx);
      await this.#setAccess(developerId, { service, enabled, feePaise }, by, tx);
      return developer;
    });
  }

  /** The recharge provider of a platform developer. Errors: CONFLICT when a white label decides for this developer. */
  async assignProvider(developerId: DeveloperId, provider: RechargeProvider, by: Actor): Promise<DeveloperRow> {
    return this.#change(developerId, 'developer.assign_provider', by, undefined, (developer) => {
      if (developer.whiteLabel) {
        throw new AppError('CONFLICT', {
          message: `This developer belongs to a white label, whose provider counts; assign it there.`,
        });
      }
      developer.rechargeProvider = provider;
    });
  }

  /** Puts a developer under a white label, or back on the platform (null). */
  async setWhiteLabel(developerId: DeveloperId, whiteLabelId: string | null, by: Actor): Promise<DeveloperRow> {
    return this.#change(developerId, 'developer.set_white_label', by, undefined, async (developer, tx) => {
      const label = whiteLabelId === null ? null : await tx.findOne(WhiteLabelEntity, { id: whiteLabelId });
      if (whiteLabelId !== null && !label)
        throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such white label.' });
      developer.whiteLabel = label;
    });
  }

  /** Calls per minute and endpoint in place of the usual limit; undefined restores that. Felt on the next request. */
  async setRateLimit(developerId: DeveloperId, perMinute: number | undefined, by: Actor): Promise<DeveloperRow> {
    if (perMinute !== undefined && (perMinute < 1 || perMinute > MAX_RATE_LIMIT))
      throw fieldError(
        'input.perMinute',
        { rule: 'RANGE', min: 1, max: MAX_RATE_LIMIT },
        `Must be between 1 and ${MAX_RATE_LIMIT}.`,
      );
    return this.#change(developerId, 'developer.set_rate_limit', by, undefined, (developer) => {
      developer.rateLimitPerMinute = perMinute ?? null;
    });
  }

  /** For how long a recharge without a key that repeats a performed one is refused; 0: it is performed. Felt on the next request. */
  async setDuplicateGuard(developerId: DeveloperId, seconds: number, by: Actor): Promise<DeveloperRow> {
    if (seconds < 0 || seconds > MAX_DUPLICATE_GUARD_S)
      throw fieldError(
        'input.seconds',
        { rule: 'RANGE', min: 0, max: MAX_DUPLICATE_GUARD_S },
        `Must be between 0 and ${MAX_DUPLICATE_GUARD_S}.`,
      );
    return this.#change(developerId, 'developer.set_duplicate_guard', by, undefined, (developer) => {
      developer.duplicateGuardS = seconds;
    });
  }

  /** Adds money to a wallet, once per reference; returns the new balance. Errors: those of `postCredit`. */
  async creditWallet(credit: WalletCredit, by: Actor): Promise<Paise> {
    const services = { ledger: this.#ledger, audit: this.#audit };
    return this.#transaction(undefined, (tx) => postCredit(credit, by, services, tx));
  }

  /** One service under the lock of its developer, with its audit entry. */
  async #setAccess(
    developerId: DeveloperId,
    { service, enabled, feePaise }: ServiceGrant & { enabled: boolean },
    by: Actor,
    tx: EntityManager,
  ): Promise<void> {
    const existing = await tx.findOne(ServiceAccessEntity, { developerId, service });
    const access = existing ?? tx.create(ServiceAccessEntity, { developerId, service, enabled: false, feePaise: 0n });
    const before = { enabled: access.enabled, feePaise: String(access.feePaise) };
    access.enabled = enabled;
    if (feePaise !== undefined) access.feePaise = feePaise;
    const after = { enabled, feePaise: String(access.feePaise) };
    await tx.persist(access).flush();
    await this.#audit.record(
      by,
      { action: 'service_access.set', subject: `${subjectOf(developerId)}/${service}`, before, after },
      tx,
    );
  }

  async #change(
    developerId: DeveloperId,
    action: AuditAction,
    by: Actor,
    em: EntityManager | undefined,
    apply: (developer: DeveloperRow, tx: EntityManager) => void | Promise<void>,
    reason?: string,
  ): Promise<DeveloperRow> {
    return this.#transaction(em, (tx) => changeDeveloper({ developerId, action, by, apply, reason }, this.#audit, tx));
  }

  #transaction<T>(em: EntityManager | undefined, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return em ? work(em) : inTransaction(this.#orm, work);
  }
}
