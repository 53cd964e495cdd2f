import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { randomToken, type Secret } from '../core/secret.js';
import type { EntityManager } from '../db/orm.js';
import { CredentialEntity, DeveloperEntity } from './account.entities.js';
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
    await (this.#orm.em.fork() as EntityManager).transactional(async (tx) => {
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

  /** Revokes a key and every token that came from it. Errors: RECORD_NOT_FOUND (also another developer's), CONFLICT when revoked before. */
  async revoke(developerId: DeveloperId | undefined, clientId: string, by: Actor): Promise<void> {
    await (this.#orm.em.fork() as EntityManager).transactional(async (tx) => {
      const where = developerId === undefined ? { clientId } : { clientId, developerId };
      const credential = await tx.findOne(CredentialEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!credential) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such key.' });
      if (credential.revokedAt) throw new AppError('CONFLICT', { message: 'This key is revoked already.' });
      credential.revokedAt = new Date();
      await tx.flush();
      await sql`update access_token set revoked_at = now() where client_id = ${clientId} and revoked_at is null`.execute(
        tx.getKysely(),
      );
      await this.#audit.record(
        by,
        {
          action: 'credential.revoke',
          subject: `developer:${credential.developerId}/${credential.environment}`,
          before: { clientId },
          after: null,
        },
        tx,
      );
    });
  }
}
