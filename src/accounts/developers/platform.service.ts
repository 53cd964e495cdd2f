import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { requesterOf } from '../../approval-requests/approval-request.service.js';
import type { StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import { type Environment, environments } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import { type EntityManager, inTransaction } from '../../db/orm.js';
import { OrderPauseEntity, type PauseCommand, pauseState, pauseSubject } from '../../providers/order-pause.js';
import type { RechargeProvider } from '../../providers/registry.js';
import { type ProviderSwitch, ProviderSwitchEntity, switchSubject } from '../../providers/switches.js';
import type { SettingsService } from '../../settings/settings.service.js';
import { type PartOf, unlessTaken } from '../account.changes.js';
import { DeveloperEntity, WhiteLabelEntity, type WhiteLabelRow } from '../account.entities.js';

export const labelSubject = (id: string): string => `white_label:${id}`;

/** Locks a white label. Throws RECORD_NOT_FOUND. */
async function lockLabel(id: string, tx: EntityManager): Promise<WhiteLabelRow> {
  const label = await tx.findOne(WhiteLabelEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!label) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown white label.' });
  return label;
}

/**
 * Locks a white label against being disabled while a developer is moved to it. Throws RECORD_NOT_FOUND, or CONFLICT if it is
 * disabled.
 */
export async function openLabel(id: string, tx: EntityManager): Promise<WhiteLabelRow> {
  const label = await tx.findOne(WhiteLabelEntity, { id }, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!label) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown white label.' });
  if (label.disabledAt)
    throw new AppError('CONFLICT', { message: 'This white label is disabled and accepts no developers.' });
  return label;
}

/** White labels: resellers whose developers share one recharge provider. */
export class WhiteLabelService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
  ) {}

  /** Creates a white label. Throws CONFLICT if the name is taken. */
  create(name: string, rechargeProvider: RechargeProvider, by: Actor): Promise<WhiteLabelRow> {
    return inTransaction(this.orm, async (tx) => {
      const label = tx.create(WhiteLabelEntity, { name, rechargeProvider });
      await unlessTaken('A white label with this name already exists.', tx.persist(label).flush());
      const [subject, after] = [labelSubject(label.id), { name, rechargeProvider }];
      await this.audit.record(by, { action: 'white_label.create', subject, before: null, after }, tx);
      return label;
    });
  }

  /** Renames a white label. Throws RECORD_NOT_FOUND, or CONFLICT if the name is taken. */
  rename(id: string, name: string, by: Actor): Promise<WhiteLabelRow> {
    return inTransaction(this.orm, async (tx) => {
      const label = await lockLabel(id, tx);
      const before = { name: label.name };
      label.name = name;
      await unlessTaken('A white label with this name already exists.', tx.flush());
      await this.audit.record(
        by,
        { action: 'white_label.rename', subject: labelSubject(id), before, after: { name } },
        tx,
      );
      return label;
    });
  }

  /**
   * Disables a white label, which then accepts no developers. Throws RECORD_NOT_FOUND, or CONFLICT if it is disabled or has
   * developers.
   */
  disable(id: string, reason: string, by: Actor): Promise<WhiteLabelRow> {
    return inTransaction(this.orm, async (tx) => {
      // moving a developer to the label takes the same lock, so the two cannot interleave
      const label = await lockLabel(id, tx);
      if (label.disabledAt) throw new AppError('CONFLICT', { message: 'This white label is already disabled.' });
      // permanently closed accounts keep their white label
      const developers = await tx.count(DeveloperEntity, { whiteLabel: id, closedAt: null });
      if (developers > 0)
        throw new AppError('CONFLICT', { message: 'This white label has developers. Move them first.' });
      label.disabledAt = new Date();
      await tx.flush();
      const [subject, before, after] = [labelSubject(id), { disabled: false }, { disabled: true }];
      await this.audit.record(by, { action: 'white_label.disable', subject, before, after, reason }, tx);
      return label;
    });
  }

  /** Enables a white label. Throws RECORD_NOT_FOUND, or CONFLICT if it is not disabled. */
  enable(id: string, reason: string, by: Actor): Promise<WhiteLabelRow> {
    return inTransaction(this.orm, async (tx) => {
      const label = await lockLabel(id, tx);
      if (!label.disabledAt) throw new AppError('CONFLICT', { message: 'This white label is not disabled.' });
      label.disabledAt = null;
      await tx.flush();
      const [subject, before, after] = [labelSubject(id), { disabled: true }, { disabled: false }];
      await this.audit.record(by, { action: 'white_label.enable', subject, before, after, reason }, tx);
      return label;
    });
  }

  /** Sets the provider of all developers of a white label. Accepted orders keep their provider. Throws RECORD_NOT_FOUND. */
  assignProvider(
    id: string,
    rechargeProvider: RechargeProvider,
    by: Actor,
    { tx: em, approvalRequest, reason }: PartOf = {},
  ): Promise<WhiteLabelRow> {
    const work = async (tx: EntityManager): Promise<WhiteLabelRow> => {
      const label = await lockLabel(id, tx);
      const before = { rechargeProvider: label.rechargeProvider };
      const after = { rechargeProvider, ...(approvalRequest && requesterOf(approvalRequest)) };
      label.rechargeProvider = rechargeProvider;
      await tx.flush();
      const subject = labelSubject(id);
      const entry = { action: 'white_label.assign_provider' as const, subject, before, after };
      await this.audit.record(by, { ...entry, reason: reason || undefined }, tx);
      return label;
    };
    return em ? work(em) : inTransaction(this.orm, work);
  }
}

/** Platform settings that administrators change. Each change and its audit entry are written in the same transaction. */
export class PlatformSettings {
  constructor(
    private readonly orm: MikroORM,
    private readonly settings: SettingsService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the default lead customer by environment, or null if none is set. */
  defaultLeadCustomers(): Promise<{ environment: Environment; customerId: string | null }[]> {
    return Promise.all(
      environments.map(async (environment) => ({
        environment,
        customerId: (await this.settings.get(environment, 'default_lead_customer')) ?? null,
      })),
    );
  }

  /** Sets the customer for leads without a customer_id (interface.md 4.11, create a lead). */
  async setDefaultLeadCustomer(environment: Environment, customerId: string, by: Actor): Promise<void> {
    await inTransaction(this.orm, async (tx) => {
      const previous = await this.settings.set(environment, 'default_lead_customer', customerId, tx);
      const before = previous === undefined ? null : { customerId: previous };
      const subject = `setting:${environment}/default_lead_customer`;
      await this.audit.record(
        by,
        { action: 'setting.set_default_lead_customer', subject, before, after: { customerId } },
        tx,
      );
    });
  }

  /**
   * Enables or disables a provider. The caller holds the row lock (`lockSwitch`). Each process picks up the change within
   * seconds.
   */
  async switchProvider(
    { environment, provider, available, reason }: ProviderSwitch,
    by: Actor,
    tx: EntityManager,
    approvalRequest?: StoredApprovalRequest,
  ): Promise<void> {
    const row = await tx.findOneOrFail(ProviderSwitchEntity, { environment, provider });
    const before = { available: row.available };
    Object.assign(row, { available, reason: available ? null : reason, changedAt: new Date() });
    await tx.flush();
    const subject = switchSubject(environment, provider);
    const after = { available, ...(approvalRequest && requesterOf(approvalRequest)) };
    await this.audit.record(by, { action: 'provider.set_availability', subject, before, after, reason }, tx);
  }

  /** Pauses or resumes orders. The caller holds the row lock (`lockPause`). Each process picks up the change within seconds. */
  async setOrderPause(
    { environment, notice, reason }: PauseCommand,
    by: Actor,
    tx: EntityManager,
    approvalRequest?: StoredApprovalRequest,
  ): Promise<void> {
    const row = await tx.findOneOrFail(OrderPauseEntity, { environment });
    const before = pauseState(row.notice ?? null);
    const state = pauseState(notice);
    // a new notice does not change the start of the pause
    const changedAt = before.paused === state.paused ? row.changedAt : new Date();
    Object.assign(row, { ...state, changedAt });
    await tx.flush();
    const after = { ...state, ...(approvalRequest && requesterOf(approvalRequest)) };
    const subject = pauseSubject(environment);
    const action = state.paused ? 'orders.pause' : 'orders.resume';
    await this.audit.record(by, { action, subject, before, after, reason: reason || undefined }, tx);
  }
}
