import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError, fieldError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { randomToken, type Secret } from '../core/secret.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { CredentialEntity, type CredentialRow, DeveloperEntity } from './account.entities.js';
import { stateOf } from './credential.state.js';
import type { EndpointsOfKey } from './developer.inputs.js';
import { CLIENT_ID_PREFIX, hashOfSecret, SECRET_PREFIX } from './token.service.js';

/** Rotation overlaps: the old secret works while the new one is rolled out. */
const LIVE_CREDENTIALS_PER_ENVIRONMENT = 2;

export interface IssuedCredential {
  clientId: string;
  /** Shown once; only its keyed hash is stored. */
  apiSecret: string;
  environment: Environment;
}

/** Webhook endpoints that keys made: they outlive a key unless somebody decides about them. Each call is part of the caller's transaction. */
export interface EndpointsOfKeys {
  /** The ids of those that are enabled, locked. */
  enabled(clientId: string, tx: EntityManager): Promise<string[]>;
  /** Disables these. */
  end(ids: readonly string[], by: Actor, tx: EntityManager): Promise<void>;
  /** From now on they are another key's; null: nobody's. Returns their ids. */
  handOver(clientId: string, to: string | null, tx: EntityManager): Promise<string[]>;
}

/** A key, and whose it must be; undefined: anybody's. */
export interface KeyOf {
  clientId: string;
  developerId: DeveloperId | undefined;
}

export interface CredentialParts {
  orm: MikroORM;
  audit: AuditService;
  pepper: Secret;
  endpoints: EndpointsOfKeys;
}

/** API keys of a developer. */
export class CredentialService {
  readonly #parts: CredentialParts;

  constructor(parts: CredentialParts) {
    this.#parts = parts;
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
    await inTransaction(this.#parts.orm, async (tx) => {
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
        secretHash: hashOfSecret(this.#parts.pepper, apiSecret),
        secretLast4: apiSecret.slice(-4),
        label: label ?? null,
      });
      await tx.flush();
      await this.#parts.audit.record(
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

  /**
   * Revokes a key and every token that came from it; returns whose it is. Errors: RECORD_NOT_FOUND (also another developer's), CONFLICT
   * when revoked before, VALIDATION_FAILED on `input.endpoints` when endpoints of it are enabled and nobody says what becomes of them.
   */
  async revoke(key: KeyOf, fate: EndpointsOfKey | undefined, by: Actor): Promise<DeveloperId> {
    return this.#change(key, 'credential.revoke', by, undefined, async (credential, tx) => {
      credential.revokedAt = new Date();
      await sql`update access_token set revoked_at = now() where client_id = ${key.clientId} and revoked_at is null`.execute(
        tx.getKysely(),
      );
      const enabled = await this.#parts.endpoints.enabled(key.clientId, tx);
      if (enabled.length === 0) return null;
      if (!fate) throw fieldError('input.endpoints', 'REQUIRED', undecided(enabled.length));
      if (fate === 'end') await this.#parts.endpoints.end(enabled, by, tx);
      else await this.#parts.endpoints.handOver(key.clientId, null, tx);
      return { endpoints: fate, endpointIds: enabled };
    });
  }

  /**
   * Stops a key and every token that came from it until it is reinstated; returns whose it is. Errors: RECORD_NOT_FOUND,
   * CONFLICT when it is revoked or suspended already.
   */
  async suspend(clientId: string, reason: string, by: Actor): Promise<DeveloperId> {
    return this.#change(anybodys(clientId), 'credential.suspend', by, reason, (credential) => {
      if (credential.suspendedAt) throw new AppError('CONFLICT', { message: 'This key is suspended already.' });
      credential.suspendedAt = new Date();
      credential.suspensionReason = reason;
      return stateOf(credential);
    });
  }

  /** The key and its tokens work again; returns whose it is. Errors: RECORD_NOT_FOUND, CONFLICT unless it is suspended. */
  async reinstate(clientId: string, reason: string | undefined, by: Actor): Promise<DeveloperId> {
    return this.#change(anybodys(clientId), 'credential.reinstate', by, reason, (credential) => {
      if (!credential.suspendedAt) throw new AppError('CONFLICT', { message: 'This key is not suspended.' });
      credential.suspendedAt = null;
      credential.suspensionReason = null;
      return stateOf(credential);
    });
  }

  /**
   * Decides on a locked key that is not revoked, with its audit entry.
   *
   * @param apply returns what the entry says of the key afterwards; null: there is none any more
   */
  async #change(
    { clientId, developerId: owner }: KeyOf,
    action: string,
    by: Actor,
    reason: string | undefined,
    apply: (credential: CredentialRow, tx: EntityManager) => object | null | Promise<object | null>,
  ): Promise<DeveloperId> {
    return inTransaction(this.#parts.orm, async (tx) => {
      const where = owner === undefined ? { clientId } : { clientId, developerId: owner };
      const credential = await tx.findOne(CredentialEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!credential) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such key.' });
      if (credential.revokedAt) throw new AppError('CONFLICT', { message: 'This key is revoked already.' });
      const before = stateOf(credential);
      const after = await apply(credential, tx);
      await tx.flush();
      const { developerId, environment } = credential;
      const subject = `developer:${developerId}/${environment}`;
      await this.#parts.audit.record(by, { action, subject, before, after, reason }, tx);
      return developerId as DeveloperId;
    });
  }
}

const anybodys = (clientId: string): KeyOf => ({ clientId, developerId: undefined });

const undecided = (count: number): string =>
  `This key made ${count} webhook endpoint${count === 1 ? '' : 's'} that ${count === 1 ? 'is' : 'are'} still enabled: send KEEP or END.`;
