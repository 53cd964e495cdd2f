import { canSee } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode, Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { ProductCatalogue } from '../products/product.catalogue.js';
import type { SettingsService } from '../settings/settings.service.js';
import { LeadDirectoryResolver } from './directory.resolver.js';
import { LeadHistory } from './lead.history.js';
import type { LeadPorts } from './lead.ports.js';
import { LeadProductResolver, LeadResolver, StatementLeadResolver } from './lead.resolver.js';
import { LeadService } from './lead.service.js';
import { leadView } from './lead.types.js';
import { LeadStatusService } from './lead-status.service.js';
import { ProfileService } from './profile.service.js';
import { ProfileStore } from './profile.store.js';

export interface LeadsParts {
  base: Base;
  ledger: LedgerService;
  settings: SettingsService;
  ports: LeadPorts;
  catalogue: ProductCatalogue;
}

/** Creates the module for customer profiles and leads for financial products. */
export function createLeads({ base, ledger, settings, ports, catalogue }: LeadsParts) {
  const { pool, orm, encryption, config } = base;
  const profiles = new ProfileStore(pool, encryption, config.pepper);
  const history = new LeadHistory(orm, profiles);
  const sharedResolvers = [new StatementLeadResolver(history), new LeadProductResolver(catalogue)];
  const Lead: LoadNode = async (key, context) => {
    const lead = isUuid(key) ? await history.byId(key) : undefined;
    return lead && canSee(context, lead) ? leadView(lead) : undefined;
  };
  const room: Room = {
    nodes: { api: { Lead }, console: { Lead } },
    resolvers: {
      api: [
        new LeadResolver(
          new ProfileService(ports, profiles),
          new LeadService(ports, profiles, settings, orm),
          new LeadStatusService(ports, ledger, orm),
          history,
        ),
        new LeadDirectoryResolver(ports),
        ...sharedResolvers,
      ],
      console: sharedResolvers,
    },
  };
  return { leads: history, room };
}
