import type { MikroORM } from '@mikro-orm/postgresql';
import { DeveloperEntity } from '../accounts/account.entities.js';
import { type Doer, mailOwner, type Notice } from '../accounts/account.mails.js';
import type { KeyEndpoints } from '../accounts/keys/credential.service.js';
import { holdKey } from '../accounts/keys/credential.state.js';
import { isWaiting, startOf } from '../accounts/newcomers.js';
import type { Actor, AuditRecord, AuditService } from '../audit/audit.service.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { markOf } from '../audit/audit-marks.js';
import { AppError, fieldError } from '../core/errors.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { Secret } from '../core/secret.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { type Emails, withEmails } from '../mails/emails.room.js';
import { isPublicHost } from './public-address.js';
import { endpointCreatedEmail, endpointFailingEmail, secretRotatedEmail } from './webhook.emails.js';
import type { WebhookCaller } from './webhook-caller.js';
import { type DueDelivery, secretContext } from './webhook-delivery.store.js';
import { type DisabledReason, type EndpointRow, WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { recordFailure } from './webhook-endpoint.health.js';
import {
  countEndpoints,
  type Endpoint,
  type EndpointOwner,
  endpointById,
  endpointOf,
  endpointsOf,
  lockEndpoint,
  lockEndpoints,
  type Owner,
} from './webhook-endpoint.store.js';
import { type OrderEventType, orderEventTypes } from './webhook-event.js';
import { newWebhookSecret } from './webhook-signature.js';

export const MAX_ENDPOINTS = 5;
/** Time during which a replaced secret still signs messages. */
const OVERLAP_MS = 24 * 3_600_000;

export interface IssuedEndpoint {
  endpoint: Endpoint;
  /** Secret of the endpoint. It is shown once and stored encrypted. */
  secret: Secret;
}

export interface NewEndpoint {
  url: string;
  /** Subscribed event types. Defaults to all types. */
  types?: readonly OrderEventType[] | undefined;
}

export interface EndpointParts {
  orm: MikroORM;
  encryption: FieldEncryption;
  audit: AuditService;
  mails: Pick<Emails, 'ready' | 'queue' | 'wake'>;
}

export interface EndpointOptions {
  allowPrivate: boolean;
  /** Time after which an endpoint whose deliveries all fail is disabled. */
  disableAfterMs: number;
  consoleUrl: string;
}

/** Manages webhook endpoints. The audit entry of each change is written in the same transaction. */
export class WebhookEndpointService implements KeyEndpoints {
  constructor(
    private readonly parts: EndpointParts,
    private readonly options: EndpointOptions,
  ) {}

  /** Returns the endpoints of an owner, oldest first. */
  list(owner: EndpointOwner): Promise<Endpoint[]> {
    return endpointsOf(owner, this.parts.orm.em.fork());
  }

  /** Returns an endpoint. Throws RECORD_NOT_FOUND, also if the endpoint belongs to another owner. */
  async find(id: string, owner: Owner): Promise<Endpoint> {
    return endpointOf(await endpointById(id, owner, this.parts.orm.em.fork()));
  }

  /**
   * Creates an endpoint for an approved account. Throws VALIDATION_FAILED, RECORD_NOT_FOUND, SUSPENDED, ONBOARDING_INCOMPLETE,
   * and CONFLICT if the environment already has five endpoints.
   */
  async create(
    { developerId, environment }: Required<EndpointOwner>,
    { url, types }: NewEndpoint,
    { by, clientId }: Doer,
  ): Promise<IssuedEndpoint> {
    await this.#checkUrl(url);
    const id = newId();
    const secret = newWebhookSecret();
    return withEmails(this.parts, async (tx) => {
      if ((await countEndpoints(developerId, environment, tx)) >= MAX_ENDPOINTS)
        throw new AppError('CONFLICT', {
          message: `The limit of ${MAX_ENDPOINTS} endpoints for ${environment} is reached. Delete an endpoint first.`,
        });
      if (clientId !== null) await holdKey(clientId, tx);
      // a key can issue tokens only after its validity period has started
      const startsAt = clientId === null ? await startOf({ developerId, environment }, by, tx) : null;
      const row = tx.create(WebhookEndpointEntity, {
        developerId,
        id,
        environment,
        clientId,
        url,
        types: storedTypes(types),
        secret: this.#encrypt(id, secret),
        startsAt,
      });
      await this.#write(by, 'webhook.create', row, null, auditState(row), tx);
      await this.#emailOwner(row, { by, clientId }, endpointCreatedEmail, tx);
      return { endpoint: endpointOf(row), secret };
    });
  }

  /** Creates a new secret. For 24 hours, the previous one also signs messages. Throws RECORD_NOT_FOUND. */
  rotateSecret(id: string, { owner, by, clientId }: WebhookCaller): Promise<IssuedEndpoint> {
    const secret = newWebhookSecret();
    return withEmails(this.parts, async (tx) => {
      const row = await lockEndpoint(id, owner, tx);
      row.previousSecret = row.secret;
      row.previousSecretUntil = new Date(Date.now() + OVERLAP_MS);
      row.secret = this.#encrypt(id, secret);
      const previousSecretUntil = row.previousSecretUntil.toISOString();
      await this.#write(by, 'webhook.rotate_secret', row, null, { previousSecretUntil }, tx);
      await this.#emailOwner(row, { by, clientId }, secretRotatedEmail, tx);
      return { endpoint: endpointOf(row), secret };
    });
  }

  /** Replaces the subscribed event types. Throws RECORD_NOT_FOUND. */
  setTypes(id: string, types: readonly OrderEventType[], { owner, by }: WebhookCaller): Promise<Endpoint> {
    return this.#transaction(async (tx) => {
      const row = await lockEndpoint(id, owner, tx);
      const before = { types: row.types ?? null };
      row.types = storedTypes(types);
      await this.#write(by, 'webhook.update', row, before, { types: row.types }, tx);
      return endpointOf(row);
    });
  }

  /** Disables an endpoint and cancels its pending deliveries. Throws RECORD_NOT_FOUND, and CONFLICT if it is already disabled. */
  disable(id: string, owner: Owner, by: Actor): Promise<Endpoint> {
    return this.#transaction(async (tx) => {
      const row = await lockEndpoint(id, owner, tx);
      if (row.disabledAt) throw new AppError('CONFLICT', { message: 'This endpoint is already disabled.' });
      await this.#disable(row, 'request', by, tx);
      return endpointOf(row);
    });
  }

  /** Disables an endpoint whose receiver returned 410 Gone. Must be called in the transaction that records the attempt. */
  async disableGone({ endpointId, id }: { endpointId: string; id: string }, tx: EntityManager): Promise<void> {
    const row = await lockEndpoint(endpointId, undefined, tx);
    if (!row.disabledAt) await this.#disable(row, 'gone', { actor: 'system:webhooks', requestId: id }, tx);
  }

  /**
   * Counts a failed attempt for its endpoint. If all attempts have failed for days, disables the endpoint and queues an email
   * to its developer. Must be called in the transaction that records the attempt. Returns true if an email was queued; the
   * caller must then call `wake` to send it.
   */
  async failed(
    { developerId, endpointId, id }: DueDelivery,
    hasResponse: boolean,
    tx: EntityManager,
  ): Promise<boolean> {
    const failing = await recordFailure({ developerId, endpointId }, hasResponse, tx);
    if (!failing || failing.failingForMs < this.options.disableAfterMs) return false;
    const row = await lockEndpoint(endpointId, { developerId }, tx);
    await this.#disable(row, 'failing', { actor: 'system:webhooks', requestId: id }, tx);
    const { email } = await tx.findOneOrFail(DeveloperEntity, { id: developerId });
    const message = endpointFailingEmail(email, {
      id: endpointId,
      environment: row.environment,
      failingSince: new Date(Date.now() - failing.failingForMs),
      console: this.options.consoleUrl,
    });
    await this.parts.mails.queue(message, tx);
    return true;
  }

  /**
   * Enables a disabled endpoint. Events are recorded again from this time on. Throws RECORD_NOT_FOUND, and CONFLICT if it is
   * not disabled.
   */
  enable(id: string, { owner, by, clientId }: WebhookCaller): Promise<Endpoint> {
    return this.#transaction(async (tx) => {
      if (clientId !== null) await holdKey(clientId, tx);
      const row = await lockEndpoint(id, owner, tx);
      if (!row.disabledAt) throw new AppError('CONFLICT', { message: 'This endpoint is not disabled.' });
      setDisabled(row, null);
      // the key that created the endpoint may have been revoked, so the endpoint now belongs to the key that enables it
      row.clientId = clientId ?? row.clientId;
      await this.#write(by, 'webhook.enable', row, { disabled: true }, { disabled: false }, tx);
      return endpointOf(row);
    });
  }

  /** Deletes an endpoint with its secrets and its delivery log. Throws RECORD_NOT_FOUND. */
  remove(id: string, owner: Owner, by: Actor): Promise<void> {
    return this.#transaction(async (tx) => {
      const row = await lockEndpoint(id, owner, tx);
      tx.remove(row);
      await this.#write(by, 'webhook.delete', row, auditState(row), null, tx);
    });
  }

  /** Deletes an endpoint that has not started. Throws RECORD_NOT_FOUND, and CONFLICT if it has started. */
  cancel(id: string, owner: Owner, by: Actor): Promise<void> {
    return this.#transaction(async (tx) => {
      const row = await lockEndpoint(id, owner, tx);
      if (!(await isWaiting(row, tx)))
        throw new AppError('CONFLICT', {
          message:
            'Events are already sent to this endpoint, so its creation cannot be cancelled. Delete the endpoint instead.',
        });
      tx.remove(row);
      await this.#write(by, 'webhook.cancel', row, auditState(row), null, tx);
    });
  }

  async removeAll(developerId: DeveloperId, tx: EntityManager): Promise<AuditRecord[]> {
    const rows = await lockEndpoints({ developerId }, tx);
    for (const row of rows) tx.remove(row);
    await tx.flush();
    return rows.map((row) => ({
      action: 'webhook.delete',
      subject: subjectOf(row),
      before: auditState(row),
      after: null,
    }));
  }

  async enabled(clientId: string, tx: EntityManager): Promise<string[]> {
    return (await lockEndpoints({ clientId, disabledAt: null }, tx)).map(({ id }) => id);
  }

  async disableAll(ids: readonly string[], by: Actor, tx: EntityManager): Promise<void> {
    for (const id of ids) await this.#disable(await lockEndpoint(id, undefined, tx), 'request', by, tx);
  }

  async handOver(clientId: string, to: string | null, tx: EntityManager): Promise<string[]> {
    const rows = await lockEndpoints({ clientId }, tx);
    for (const row of rows) row.clientId = to;
    return rows.map(({ id }) => id);
  }

  #disable(row: EndpointRow, reason: DisabledReason, by: Actor, tx: EntityManager): Promise<void> {
    setDisabled(row, reason);
    return this.#write(by, 'webhook.disable', row, { disabled: false }, { disabled: true, reason }, tx);
  }

  /**
   * Throws VALIDATION_FAILED for a URL that can never receive a delivery. The sender checks the addresses of a host name again
   * for every connection.
   */
  async #checkUrl(url: string): Promise<void> {
    if (this.options.allowPrivate) return;
    const { protocol, hostname } = new URL(url);
    if (protocol !== 'https:') throw fieldError('input.url', 'PATTERN', 'The URL must use https.');
    if (!(await isPublicHost(hostname)))
      throw fieldError('input.url', 'PATTERN', 'Enter the URL of a host on the public internet.');
  }

  #emailOwner(row: EndpointRow, doer: Doer, messageOf: typeof endpointCreatedEmail, tx: EntityManager): Promise<void> {
    const write = (notice: Notice) => messageOf(notice, row);
    return mailOwner({ ...this.parts, ...this.options }, row.developerId as DeveloperId, doer, write, tx);
  }

  #encrypt(id: string, secret: Secret): Buffer {
    return this.parts.encryption.encrypt(secretContext(id), secret.reveal());
  }

  async #write(
    by: Actor,
    action: Extract<AuditAction, `webhook.${string}`>,
    endpoint: EndpointRow,
    before: object | null,
    after: object | null,
    tx: EntityManager,
  ): Promise<void> {
    await tx.flush();
    await this.parts.audit.record(by, { action, subject: subjectOf(endpoint), before, after }, tx);
  }

  #transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.parts.orm, work);
  }
}

const subjectOf = ({ developerId, environment, id }: EndpointRow): string =>
  `developer:${developerId}/${environment}/webhook:${id}`;

/** Returns the event types as stored. A list of all types is stored as null, so that it includes types added later. */
const storedTypes = (types: readonly OrderEventType[] | undefined): string[] | null =>
  types === undefined || orderEventTypes.every((type) => types.includes(type)) ? null : [...types];

/**
 * Returns the endpoint data for the audit log. It contains only the host of the URL, because the path may contain a secret of
 * the receiver.
 */
const auditState = ({ id, environment, url, types, clientId, startsAt, disabledAt }: EndpointRow): object => ({
  environment,
  host: new URL(url).host,
  urlMark: markOf(`${id} ${url}`),
  types: types ?? null,
  clientId: clientId ?? null,
  startsAt: startsAt?.toISOString() ?? null,
  disabled: disabledAt != null,
});

/** Enables or disables an endpoint. Either change resets its failure counters. */
function setDisabled(row: EndpointRow, reason: DisabledReason | null): void {
  row.disabledAt = reason === null ? null : new Date();
  row.disabledReason = reason;
  row.failingSince = null;
  row.unanswered = 0;
  row.pausedUntil = null;
}
