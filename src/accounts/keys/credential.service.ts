import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditRecord, AuditService } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import { markOf } from '../../audit/audit-marks.js';
import type { Environment } from '../../core/environment.js';
import { AppError, fieldError } from '../../core/errors.js';
import type { DeveloperId } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { randomToken } from '../../core/secret.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import { reinstate, suspend } from '../account.changes.js';
import { CredentialEntity, type CredentialRow } from '../account.entities.js';
import { mailOwner, type Notice, newKeyMail } from '../account.mails.js';
import { lockDeveloper } from '../developers/developer.state.js';
import { isWaiting, startOf } from '../newcomers.js';
import { hasEnded, stateOf } from './credential.state.js';
import type { RevokedKeyEndpoints } from './credential.types.js';
import { CLIENT_ID_PREFIX, SECRET_PREFIX } from './token.service.js';

/** Maximum number of API keys without an expiry time. */
export const LIVE_CREDENTIALS_PER_ENVIRONMENT = 2;
/**
 * Maximum number of rotated API keys that still work. They are counted separately, so that two API keys can both be rotated
 * without downtime.
 */
export const ENDING_CREDENTIALS_PER_ENVIRONMENT = 2;
const HOUR_MS = 3_600_000;

interface IssuedCredential {
  developerId: DeveloperId;
  clientId: string;
  /** API secret, which is shown once. Only its keyed hash is stored. */
  apiSecret: string;
  environment: Environment;
  /** Time the API key starts to work. Null if it works immediately. */
  startsAt: Date | null;
}

/** Webhook endpoints that were created with an API key and outlive it. Each call is part of the caller's transaction. */
export interface KeyEndpoints {
  /** Locks the enabled endpoints and returns their IDs. */
  enabled(clientId: string, tx: EntityManager): Promise<string[]>;
  disableAll(ids: readonly string[], by: Actor, tx: EntityManager): Promise<void>;
  /** Assigns the endpoints to another API key, or to none if null. Returns their IDs. */
  handOver(clientId: string, to: string | null, tx: EntityManager): Promise<string[]>;
}

/** API key and its required owner. Without an owner, any owner is accepted. */
interface KeyOf {
  clientId: string;
  developerId: DeveloperId | undefined;
}

interface CredentialParts {
  orm: MikroORM;
  audit: AuditService;
  rowKeys: RowKeys;
  endpoints: KeyEndpoints;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

export class CredentialService {
  constructor(private readonly parts: CredentialParts) {}

  /**
   * Creates an API key. Throws SUSPENDED, ONBOARDING_INCOMPLETE before approval, PRODUCTION_LOCKED, and CONFLICT if two are
   * active.
   */
  async create(
    developerId: DeveloperId,
    environment: Environment,
    label: string | undefined,
    by: Actor,
  ): Promise<IssuedCredential> {
    return withEmails(this.parts, async (tx) => {
      await requireKeys(developerId, environment, tx);
      const live = await tx.count(CredentialEntity, { developerId, environment, revokedAt: null, expiresAt: null });
      if (live >= LIVE_CREDENTIALS_PER_ENVIRONMENT) {
        throw new AppError('CONFLICT', {
          message: `There are already ${live} active API keys for ${environment}. Revoke one first.`,
        });
      }
      const startsAt = await startOf({ developerId, environment }, by, tx);
      const issued = await this.#issue({ developerId, environment, label: label ?? null, startsAt }, tx);
      const after = { ...this.#traceOf(issued), label: label ?? null };
      const subject = `developer:${developerId}/${environment}`;
      await this.parts.audit.record(by, { action: 'credential.create', subject, before: null, after }, tx);
      await this.#mailOwner(issued, by, tx);
      return issued;
    });
  }

  /**
   * Replaces an API key with a new one, which gets its label and webhook endpoints. The old key and its tokens expire after
   * the overlap, which begins when the new key starts. Throws RECORD_NOT_FOUND (also for a key of another developer) and the
   * errors of `create` about the account. Throws CONFLICT if the API key has ended, is suspended, has not started or was
   * already rotated, or if two rotated API keys of the environment still work.
   *
   * @param overlapHours hours during which both keys work. 0 revokes the old key immediately.
   */
  async rotate(key: KeyOf, overlapHours: number, by: Actor): Promise<IssuedCredential> {
    return withEmails(this.parts, async (tx) => {
      // locks in this order: account, API key, endpoints
      const { developerId, environment } = await findKey(key, tx, { disableIdentityMap: true });
      await requireKeys(developerId, environment, tx);
      const old = await lockLiveKey(key, tx);
      if (old.suspendedAt) throw new AppError('CONFLICT', { message: 'This API key is suspended.' });
      if (old.expiresAt)
        throw new AppError('CONFLICT', { message: 'This API key was already rotated. To stop it now, revoke it.' });
      if (await isWaiting(old, tx))
        throw new AppError('CONFLICT', {
          message: 'This API key has not started. Cancel it, or wait until it starts.',
        });
      const label = old.label ?? null;
      const before = stateOf(old);
      const startsAt = await startOf({ developerId, environment }, by, tx);
      const replaces = startsAt ? key.clientId : null;
      const issued = await this.#issue({ developerId, environment, label, startsAt, replaces }, tx);
      // the old API key must work until the new one starts
      if (overlapHours === 0 && !startsAt) await end(old, tx);
      else await endAt(new Date((startsAt?.getTime() ?? Date.now()) + overlapHours * HOUR_MS), old, tx);
      const endpointIds = await this.parts.endpoints.handOver(key.clientId, issued.clientId, tx);
      await tx.flush();
      const endsAt = (old.revokedAt ?? old.expiresAt)!;
      const after = {
        ...this.#traceOf(issued),
        label,
        oldEndsAt: endsAt.toISOString(),
        ...(endpointIds.length > 0 ? { endpointIds } : {}),
      };
      const subject = `developer:${developerId}/${environment}`;
      await this.parts.audit.record(by, { action: 'credential.rotate', subject, before, after }, tx);
      await this.#mailOwner(issued, by, tx, { clientId: key.clientId, endsAt });
      return issued;
    });
  }

  /**
   * Revokes an API key and all its tokens, and returns its account. Throws RECORD_NOT_FOUND (also for a key of another
   * developer), CONFLICT if it has ended, and VALIDATION_FAILED for `input.endpoints` if it has enabled endpoints and no
   * action for them is given.
   */
  async revoke(key: KeyOf, fate: RevokedKeyEndpoints | undefined, by: Actor): Promise<DeveloperId> {
    return this.#change(key, 'credential.revoke', by, undefined, async (credential, tx) => {
      const kept = (await isWaiting(credential, tx)) ? await this.#keepReplaced(credential, tx) : {};
      await end(credential, tx);
      const enabled = await this.parts.endpoints.enabled(key.clientId, tx);
      const revoked = { ...stateOf(credential), revoked: true, ...kept };
      if (enabled.length === 0) return revoked;
      if (!fate) throw fieldError('input.endpoints', 'REQUIRED', endpointsMissing(enabled.length));
      if (fate === 'disable') await this.parts.endpoints.disableAll(enabled, by, tx);
      else await this.parts.endpoints.handOver(key.clientId, null, tx);
      return { ...revoked, endpoints: fate, endpointIds: enabled };
    });
  }

  /**
   * Cancels an API key that has not started and returns its account. The API key that it would replace remains active. Throws
   * RECORD_NOT_FOUND (also for a key of another developer), and CONFLICT if it has started or ended.
   */
  async cancel(key: KeyOf, by: Actor): Promise<DeveloperId> {
    return this.#change(key, 'credential.cancel', by, undefined, async (credential, tx) => {
      if (!(await isWaiting(credential, tx)))
        throw new AppError('CONFLICT', { message: 'This API key has already started. To stop it, revoke it.' });
      const kept = await this.#keepReplaced(credential, tx);
      await end(credential, tx);
      return { ...stateOf(credential), revoked: true, ...kept };
    });
  }

  /**
   * Returns the endpoints to the API key that the cancelled one would replace and that remains active. Returns fields for the
   * audit entry.
   */
  async #keepReplaced({ clientId, replaces }: CredentialRow, tx: EntityManager): Promise<object> {
    if (!replaces) return {};
    const where = { clientId: replaces, revokedAt: null };
    const old = await tx.findOne(CredentialEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!old) return {};
    old.expiresAt = null;
    await this.parts.endpoints.handOver(clientId, replaces, tx);
    await tx.flush();
    return { kept: replaces };
  }

  /**
   * Suspends an API key and all its tokens until it is reinstated, and returns its account. Throws RECORD_NOT_FOUND, and
   * CONFLICT if it has ended or is already suspended.
   */
  async suspend(clientId: string, reason: string, by: Actor): Promise<DeveloperId> {
    return this.#change(anybodys(clientId), 'credential.suspend', by, reason, (credential) => {
      suspend(credential, 'API key', reason);
      return stateOf(credential);
    });
  }

  /**
   * Reinstates an API key and its tokens, and returns its account. Throws RECORD_NOT_FOUND, and CONFLICT unless it is
   * suspended.
   */
  async reinstate(clientId: string, reason: string | undefined, by: Actor): Promise<DeveloperId> {
    return this.#change(anybodys(clientId), 'credential.reinstate', by, reason, (credential) => {
      reinstate(credential, 'API key');
      return stateOf(credential);
    });
  }

  /** Revokes all API keys of a closed account, in the caller's transaction. Returns the audit entries to write. */
  async endAll(developerId: DeveloperId, reason: string, tx: EntityManager): Promise<AuditRecord[]> {
    const options = { orderBy: { clientId: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const live = await tx.find(CredentialEntity, { developerId, revokedAt: null }, options);
    for (const credential of live) await end(credential, tx);
    await tx.flush();
    return live.map((credential) => {
      const subject = `developer:${developerId}/${credential.environment}`;
      const before = stateOf(credential);
      return { action: 'credential.revoke', subject, before, after: { ...before, revoked: true }, reason };
    });
  }

  /** Stores a new API key. The caller has checked that the account can have it. */
  async #issue(
    {
      replaces = null,
      ...key
    }: Omit<IssuedCredential, 'clientId' | 'apiSecret'> & { label: string | null; replaces?: string | null },
    tx: EntityManager,
  ): Promise<IssuedCredential> {
    const { developerId, environment, startsAt } = key;
    const clientId = randomToken(CLIENT_ID_PREFIX[environment]).slice(0, CLIENT_ID_PREFIX[environment].length + 20);
    const apiSecret = randomToken(SECRET_PREFIX[environment]);
    const secretHash = this.parts.rowKeys.apiSecretHash({ clientId, developerId, environment, startsAt }, apiSecret);
    const secretLast4 = apiSecret.slice(-4);
    tx.create(CredentialEntity, { clientId, ...key, secretHash, secretLast4, replaces });
    await tx.flush();
    return { developerId, clientId, apiSecret, environment, startsAt };
  }

  /** Returns the audited fields of a new API key. */
  #traceOf(issued: IssuedCredential) {
    const secretMark = markOf(this.parts.rowKeys.apiSecretHash(issued, issued.apiSecret));
    const startsAt = issued.startsAt?.toISOString() ?? null;
    return { clientId: issued.clientId, suspended: false, revoked: false, startsAt, secretMark };
  }

  #mailOwner(
    { developerId, clientId, environment, startsAt }: IssuedCredential,
    by: Actor,
    tx: EntityManager,
    replaces?: { clientId: string; endsAt: Date },
  ): Promise<void> {
    // API keys are created only in the console
    const who = { by, clientId: null };
    const write = (notice: Notice) => newKeyMail(notice, { clientId, environment, startsAt, replaces });
    return mailOwner(this.parts, developerId, who, write, tx);
  }

  /**
   * Changes a locked API key that has not ended, and writes its audit entry.
   *
   * @param apply returns the fields of the audit entry after the change
   */
  async #change(
    key: KeyOf,
    action: AuditAction,
    by: Actor,
    reason: string | undefined,
    apply: (credential: CredentialRow, tx: EntityManager) => object | Promise<object>,
  ): Promise<DeveloperId> {
    return inTransaction(this.parts.orm, async (tx) => {
      const credential = await lockLiveKey(key, tx);
      const before = stateOf(credential);
      const after = await apply(credential, tx);
      await tx.flush();
      const { developerId, environment } = credential;
      const subject = `developer:${developerId}/${environment}`;
      await this.parts.audit.record(by, { action, subject, before, after, reason }, tx);
      return developerId as DeveloperId;
    });
  }
}

/**
 * Locks the account if it can call the environment. Throws RECORD_NOT_FOUND, SUSPENDED, ONBOARDING_INCOMPLETE or
 * PRODUCTION_LOCKED.
 */
export async function requireKeys(
  developerId: DeveloperId,
  environment: Environment,
  tx: EntityManager,
): Promise<void> {
  const developer = await lockDeveloper(developerId, tx);
  if (developer.suspendedAt) throw new AppError('SUSPENDED');
  if (developer.onboardingStatus !== 'approved') throw new AppError('ONBOARDING_INCOMPLETE');
  if (environment === 'production' && !developer.productionUnlocked) throw new AppError('PRODUCTION_LOCKED');
}

/** Finds an API key. Throws RECORD_NOT_FOUND. */
async function findKey(
  { clientId, developerId }: KeyOf,
  tx: EntityManager,
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE; disableIdentityMap?: boolean },
): Promise<CredentialRow & { developerId: DeveloperId }> {
  const where = developerId === undefined ? { clientId } : { clientId, developerId };
  const credential = await tx.findOne(CredentialEntity, where, options);
  if (!credential) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown API key.' });
  return credential as CredentialRow & { developerId: DeveloperId };
}

/** Locks an API key. Throws RECORD_NOT_FOUND, and CONFLICT if it was revoked or has expired. */
async function lockLiveKey(key: KeyOf, tx: EntityManager): Promise<CredentialRow> {
  const credential = await findKey(key, tx, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (hasEnded(credential)) throw new AppError('CONFLICT', { message: 'This API key was revoked or has expired.' });
  return credential;
}

/** Revokes an API key and all its tokens. */
async function end(credential: CredentialRow, tx: EntityManager): Promise<void> {
  credential.revokedAt = new Date();
  await sql`update access_token set revoked_at = now()
    where client_id = ${credential.clientId} and revoked_at is null`.execute(tx.getKysely());
}

/** Sets the expiry of an API key and all its tokens. Throws CONFLICT if two rotated API keys still work. */
async function endAt(at: Date, credential: CredentialRow, tx: EntityManager): Promise<void> {
  const { clientId, developerId, environment } = credential;
  const others = { developerId, environment, revokedAt: null, expiresAt: { $gt: new Date() } };
  const ending = await tx.count(CredentialEntity, others);
  if (ending >= ENDING_CREDENTIALS_PER_ENVIRONMENT)
    throw new AppError('CONFLICT', {
      message: `${ending} rotated API keys for ${environment} still work. Revoke one first, or rotate without an overlap.`,
    });
  credential.expiresAt = at;
  await sql`update access_token set expires_at = least(expires_at, ${credential.expiresAt}::timestamptz)
    where client_id = ${clientId} and revoked_at is null`.execute(tx.getKysely());
}

const anybodys = (clientId: string): KeyOf => ({ clientId, developerId: undefined });

const endpointsMissing = (count: number): string =>
  `This API key has ${count} enabled webhook endpoint${count === 1 ? '' : 's'}. Send KEEP or DISABLE.`;
