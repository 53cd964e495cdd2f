import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { Environment } from '../../core/environment.js';
import { inTransaction } from '../../db/orm.js';
import type { SettingsService } from '../../settings/settings.service.js';

/** What an admin sets for the whole platform, with its audit entry in the same transaction. */
export class PlatformSettings {
  readonly #orm: MikroORM;
  readonly #settings: SettingsService;
  readonly #audit: AuditService;

  constructor(orm: MikroORM, settings: SettingsService, audit: AuditService) {
    this.#orm = orm;
    this.#settings = settings;
    this.#audit = audit;
  }

  /** The customer that a lead without a customer_id is created for (interface.md 4.11, create a lead). */
  async setDefaultLeadCustomer(environment: Environment, customerId: string, by: Actor): Promise<void> {
    await inTransaction(this.#orm, async (tx) => {
      const previous = await this.#settings.set(environment, 'default_lead_customer', customerId, tx);
      await this.#audit.record(
        by,
        {
          action: 'setting.default_lead_customer',
          subject: `setting:${environment}/default_lead_customer`,
          before: previous === undefined ? null : { customerId: previous },
          after: { customerId },
        },
        tx,
      );
    });
  }
}
