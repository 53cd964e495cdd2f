import type { MikroORM } from '@mikro-orm/postgresql';
import { fieldError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { sendFreeCall } from '../providers/calls.js';
import { leadRejectedError } from '../providers/lead-rejections.js';
import type { LeadsPort } from '../providers/ports/leads.port.js';
import type { SettingsService } from '../settings/settings.service.js';
import { LeadEntity, type LeadRow } from './lead.entity.js';
import type { LeadPorts } from './lead.ports.js';
import type { CreateLeadInput } from './lead.types.js';
import type { ProfileStore } from './profile.store.js';

/** Creates leads (interface.md 4.11). This is never billed. */
export class LeadService {
  constructor(
    private readonly ports: LeadPorts,
    private readonly profiles: ProfileStore,
    private readonly settings: SettingsService,
    private readonly orm: MikroORM,
  ) {}

  /**
   * Creates a lead and stores its owner. Throws VALIDATION_FAILED for a customer that does not belong to the caller (unless
   * there is sample data), or that is missing while there is no default customer; PROVIDER_UNAVAILABLE, PROVIDER_FAILED,
   * LEAD_REFUSED.
   */
  async create(
    principal: DeveloperPrincipal,
    { productId, customerId, categoryId, requiredAmount }: CreateLeadInput,
  ): Promise<{ lead: LeadRow; campaignUrl: string }> {
    const { developerId, environment } = principal;
    const port = this.ports[environment];
    const customer = await this.#customerFor(principal, port, customerId);
    const mobileHash = (await this.profiles.mobileHashOf(principal, customer)) ?? null;
    const send = () =>
      port.createLead({ productId, customerId: customer, categoryId, requiredAmountPaise: requiredAmount });
    const { leadCode, campaignUrl } = await sendFreeCall(port, send, leadRejectedError);
    // a provider can return an existing lead, whose stored data is kept
    await this.orm.em
      .fork()
      .upsert(
        LeadEntity,
        { developerId, id: newId(), environment, leadCode, productId, mobileHash, createdAt: new Date() },
        { onConflictFields: ['developerId', 'environment', 'leadCode'], onConflictAction: 'ignore' },
      );
    return {
      lead: await this.orm.em.fork().findOneOrFail(LeadEntity, { developerId, environment, leadCode }),
      campaignUrl,
    };
  }

  async #customerFor(principal: DeveloperPrincipal, port: LeadsPort, customerId: string | undefined): Promise<string> {
    if (
      customerId !== undefined &&
      (port.acceptsAnyId || (await this.profiles.ownershipOf(principal, customerId)) !== 'unknown')
    )
      return customerId;
    const defaultCustomer = await this.settings.get(principal.environment, 'default_lead_customer');
    if (defaultCustomer !== undefined && (customerId === undefined || customerId === defaultCustomer))
      return defaultCustomer;
    throw fieldError(
      'input.customerId',
      customerId === undefined ? 'REQUIRED' : 'REFERENCE',
      customerId === undefined ? 'Required because this environment has no default customer.' : 'Unknown customer.',
    );
  }
}
