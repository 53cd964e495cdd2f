import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { randomToken, type Secret } from '../core/secret.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { CredentialEntity, type CredentialRow, DeveloperEntity } from './account.entities.js';
import { CLIENT_ID_PREFIX, hashOfSecret, SECRET_PREFIX } from './token.service.js';

/** Rotation overlaps: the old secret works while the new one is rolled out. */
const LIVE_CREDENTIALS_PER_ENVIRONMENT = 2;

export interface IssuedCredential {
  clientId: string;
  /** Shown once; only its keyed hash is stored. */
  apiSecret: string;
  environment: Environment;
}

/** API keys of a developer. */
export class CredentialService {
  readonly #orm: MikroORM;
  readonly #audit: AuditService;
  readonly #pepper: Secret;

  constructor(orm: MikroORM, audit: AuditService, pepper: Secret) {
    this.#orm = orm;
    this.#audit = audit;
    this.#pepper = pepper;
  }

  /**
   * A new client id and secret. Errors: SUSPENDED, ONBOARDING_INCOMPLETE before approval, PRODUCTION_LOCKED, CONFLICT when two are live.
   */
  async create(
    developerId: DeveloperId,
    environment: Environment,
    label: string | undefined,
    by: Actor,
  ): Promise<IssuedCredential> {
    const clientId = randomToken(CLIENT_ID_PREFIX[environment]).slice(0, CLIENT_ID_PREFIX[environment].length + 20);
    const apiSecret = randomToken(SECRET_PREFIX[environment]);
    await inTransaction(this.#orm, async (tx) => {
      const developer = await tx.findOne(
        DeveloperEntity,
        { id: developerId },
        { lockMode: LockMode.PESSIMISTIC_WRITE },
      );
      if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
      if (developer.suspendedAt) throw new AppError('SUSPENDED');
      if (developer.onboardingStatus !== 'approved') throw new AppError('ONBOARDING_INCOMPLETE');
      if (environment === 'production' && !developer.productionUnlocked) throw new AppError('PRODUCTION_LOCKED');
      const live = await tx.count(CredentialEntity, { developerId, environment, revokedAt: null });
      if (live >= LIVE_CREDENTIALS_PER_ENVIRONMENT) {
        throw new AppError('CONFLICT', {
          message: `There are ${live} live keys for ${environment} already; revoke one first.`,
        });
      }
      tx.create(CredentialEntity, {
        clientId,
        developerId,
        environment,
        secretHash: hashOfSecret(this.#pepper, apiSecret),
        secretLast4: apiSecret.slice(-4),
        label: label ?? null,
      });
      await tx.flush();
      await this.#audit.record(
        by,
        {
          action: 'credential.create',
          subject: `developer:${developerId}/${environment}`,
          before: null,
          after: { clientId, label: label ?? null },
        },
        tx,
      );
    });
    return { clientId, apiSecret, environment };
  }

  /** Revokes a key and every token that came from it; returns whose it is. Errors: RECORD_NOT_FOUND (also another developer's), CONFLICT when revoked before. */
  async revoke(developerId: DeveloperId | undefined, clientId: string, by: Actor): Promise<DeveloperId> {
    return this.#change(developerId, clientId, 'credential.revoke', by, undefined, async (credential, tx) => {
      credential.revokedAt = new Date();
      await sql`update access_token set revoked_at = now() where client_id = ${clientId} and revoked_at is null`.execute(
        tx.getKysely(),
      );
    });
  }

  /**
   * Stops a key and every token that came from it until it is reinstated; returns whose it is. Errors: RECORD_NOT_FOUND,
   * CONFLICT when it is revoked or suspended already.
   */
  async suspend(clientId: string, reason: string, by: Actor): Promise<DeveloperId> {
    return this.#change(undefined, clientId, 'credential.suspend', by, reason, (credential) => {
      if (credential.suspendedAt) throw new AppError('CONFLICT', { message: 'This key is suspended already.' });
      credential.suspendedAt = new Date();
      credential.suspensionReason = reason;
    });
  }

  /** The key and its tokens work again; returns whose it is. Errors: RECORD_NOT_FOUND, CONFLICT unless it is suspended. */
  async reinstate(clientId: string, reason: string | undefined, by: Actor): Promise<DeveloperId> {
    return this.#change(undefined, clientId, 'credential.reinstate', by, reason, (credential) => {
      if (!credential.suspendedAt) throw new AppError('CONFLICT', { message: 'This key is not suspended.' });
      credential.suspendedAt = null;
      credential.suspensionReason = null;
    });
  }

  /** Decides on a locked key that is not revoked, with its audit entry. */
  async #change(
    owner: DeveloperId | undefined,
    clientId: string,
    action: string,
    by: Actor,
    reason: string | undefined,
    apply: (credential: CredentialRow, tx: EntityManager) => void | Promise<void>,
  ): Promise<DeveloperId> {
    return inTransaction(this.#orm, async (tx) => {
      const where = owner === undefined ? { clientId } : { clientId, developerId: owner };
      const credential = await tx.findOne(CredentialEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!credential) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such key.' });
      if (credential.revokedAt) throw new AppError('CONFLICT', { message: 'This key is revoked already.' });
      const before = stateOf(credential);
      await apply(credential, tx);
      await tx.flush();
      const { developerId, environment } = credential;
      await this.#audit.record(
        by,
        { action, subject: `developer:${developerId}/${environment}`, before, after: stateOf(credential), reason },
        tx,
      );
      return developerId as DeveloperId;
    });
  }
}

/** What the audit trail shows of a key; nothing once it is revoked. */
const stateOf = ({ clientId, suspendedAt, revokedAt }: CredentialRow) =>
  revokedAt ? null : { clientId, suspended: suspendedAt != null };
