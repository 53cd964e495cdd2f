import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError, fieldError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { Secret } from '../core/secret.js';
import type { FieldEncryption } from '../db/field-encryption.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { Mails } from '../mails/mails.room.js';
import { addressOfHost, isPublicAddress } from './public-address.js';
import { endpointFailingMail } from './webhook.mails.js';
import { type DueDelivery, secretContext } from './webhook-delivery.store.js';
import { recordFailure } from './webhook-endpoint.health.js';
import {
  countEndpoints,
  type DisabledReason,
  deleteEndpoint,
  type Endpoint,
  emailOf,
  endpointById,
  endpointsOf,
  insertEndpoint,
  lockEndpoint,
  markDisabled,
  type Owner,
  replaceSecret,
} from './webhook-endpoint.store.js';
import { newWebhookSecret } from './webhook-signature.js';

const MAX_PER_ENVIRONMENT = 5;
/** How long a replaced secret still signs, beside the new one. */
const OVERLAP_S = 24 * 3_600;

export interface IssuedEndpoint {
  endpoint: Endpoint;
  /** Shown once; it is stored encrypted. */
  secret: Secret;
}

export interface EndpointParts {
  orm: MikroORM;
  db: Queryable;
  encryption: FieldEncryption;
  audit: AuditService;
  mails: Pick<Mails, 'ready' | 'queue' | 'wake'>;
}

export interface EndpointOptions {
  allowPrivate: boolean;
  /** An endpoint that nothing could be delivered to for so long is switched off. */
  disableAfterMs: number;
  consoleUrl: string;
}

/** Where developers receive final outcomes. Every change is audited in its own transaction. */
export class WebhookEndpointService {
  readonly #parts: EndpointParts;
  readonly #options: EndpointOptions;

  constructor(parts: EndpointParts, options: EndpointOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Oldest first. */
  list(developerId: DeveloperId): Promise<Endpoint[]> {
    return endpointsOf(developerId, this.#parts.db);
  }

  /** Errors: RECORD_NOT_FOUND, also for another developer's. */
  find(id: string, owner: Owner): Promise<Endpoint> {
    return endpointById(id, owner, this.#parts.db);
  }

  /**
   * A new endpoint of an approved account. Errors: VALIDATION_FAILED, RECORD_NOT_FOUND, SUSPENDED, ONBOARDING_INCOMPLETE, CONFLICT when
   * the environment has five.
   */
  async create(developerId: DeveloperId, environment: Environment, url: string, by: Actor): Promise<IssuedEndpoint> {
    this.#checkUrl(url);
    const id = newId();
    const secret = newWebhookSecret();
    return this.#transaction(async (tx) => {
      if ((await countEndpoints(developerId, environment, tx)) >= MAX_PER_ENVIRONMENT)
        throw new AppError('CONFLICT', {
          message: `There are ${MAX_PER_ENVIRONMENT} endpoints for ${environment} already; delete one first.`,
        });
      const endpoint = await insertEndpoint(
        { developerId, id, environment, url, secret: this.#encrypt(id, secret) },
        tx,
      );
      await this.#trace(by, 'create', endpoint, null, traced(endpoint), tx);
      return { endpoint, secret };
    });
  }

  /** A new secret; the former one signs beside it for 24 hours. Errors: RECORD_NOT_FOUND. */
  rotateSecret(id: string, owner: Owner, by: Actor): Promise<IssuedEndpoint> {
    const secret = newWebhookSecret();
    return this.#transaction(async (tx) => {
      const before = await lockEndpoint(id, owner, tx);
      const endpoint = await replaceSecret(before, this.#encrypt(id, secret), OVERLAP_S, tx);
      const until = endpoint.previousSecretUntil?.toISOString();
      await this.#trace(by, 'rotate_secret', endpoint, null, { previousSecretUntil: until }, tx);
      return { endpoint, secret };
    });
  }

  /** Nothing further is recorded for it, and what waits is cancelled. Errors: RECORD_NOT_FOUND, CONFLICT when it is disabled. */
  disable(id: string, owner: Owner, by: Actor): Promise<Endpoint> {
    return this.#transaction(async (tx) => {
      const before = await lockEndpoint(id, owner, tx);
      if (before.disabledAt) throw new AppError('CONFLICT', { message: 'This endpoint is disabled already.' });
      return this.#disable(before, 'request', by, tx);
    });
  }

  /** The receiver of a delivery answered that it is gone for good. Part of the transaction that records the attempt. */
  async disableGone({ endpointId, id }: { endpointId: string; id: string }, tx: EntityManager): Promise<void> {
    const before = await lockEndpoint(endpointId, undefined, tx);
    if (!before.disabledAt) await this.#disable(before, 'gone', { actor: 'system:webhooks', requestId: id }, tx);
  }

  /**
   * An attempt at an endpoint failed: counted against it, and after days of nothing else it is switched off and its developer gets
   * a mail. Part of the transaction that records the attempt. True when a mail was queued, which `wake` of the mails sends.
   */
  async failed({ developerId, endpointId, id }: DueDelivery, answered: boolean, tx: EntityManager): Promise<boolean> {
    const failing = await recordFailure({ developerId, endpointId }, answered, tx);
    if (!failing || failing.failingForMs < this.#options.disableAfterMs) return false;
    const endpoint = await this.#disable(
      await lockEndpoint(endpointId, developerId, tx),
      'failing',
      { actor: 'system:webhooks', requestId: id },
      tx,
    );
    const mail = endpointFailingMail(await emailOf(developerId, tx), {
      id: endpointId,
      environment: endpoint.environment,
      failingSince: new Date(Date.now() - failing.failingForMs),
      console: this.#options.consoleUrl,
    });
    await this.#parts.mails.queue(mail, tx);
    return true;
  }

  /** Outcomes are recorded for it again from now on. Errors: RECORD_NOT_FOUND, CONFLICT when it is not disabled. */
  enable(id: string, owner: Owner, by: Actor): Promise<Endpoint> {
    return this.#transaction(async (tx) => {
      const before = await lockEndpoint(id, owner, tx);
      if (!before.disabledAt) throw new AppError('CONFLICT', { message: 'This endpoint is not disabled.' });
      const endpoint = await markDisabled(before, null, tx);
      await this.#trace(by, 'enable', endpoint, { disabled: true }, { disabled: false }, tx);
      return endpoint;
    });
  }

  /** The endpoint goes with its secrets and its delivery log. Errors: RECORD_NOT_FOUND. */
  remove(id: string, owner: Owner, by: Actor): Promise<void> {
    return this.#transaction(async (tx) => {
      const before = await lockEndpoint(id, owner, tx);
      await deleteEndpoint(before, tx);
      await this.#trace(by, 'delete', before, traced(before), null, tx);
    });
  }

  async #disable(before: Endpoint, reason: DisabledReason, by: Actor, tx: EntityManager): Promise<Endpoint> {
    const endpoint = await markDisabled(before, reason, tx);
    await this.#trace(by, 'disable', endpoint, { disabled: false }, { disabled: true, reason }, tx);
    return endpoint;
  }

  /** What a URL shows by itself. The addresses behind a name are checked with every connection, see public-address. */
  #checkUrl(url: string): void {
    if (this.#options.allowPrivate) return;
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:') throw fieldError('url', 'Must be an https address.');
    const address = addressOfHost(hostname);
    if (address !== undefined && !isPublicAddress(address))
      throw fieldError('url', 'Must be an address of the public internet.');
  }

  #encrypt(id: string, secret: Secret): Buffer {
    return this.#parts.encryption.encrypt(secretContext(id), secret.reveal());
  }

  #trace(by: Actor, what: string, on: Endpoint, before: object | null, after: object | null, tx: EntityManager) {
    const subject = `developer:${on.developerId}/${on.environment}/webhook:${on.id}`;
    return this.#parts.audit.record(by, { action: `webhook.${what}`, subject, before, after }, tx);
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.#parts.orm, work);
  }
}

/** For the audit trail: the path of a URL may hold a secret of the receiver, its host does not. */
const traced = ({ environment, url }: Endpoint): object => ({ environment, host: new URL(url).host });
