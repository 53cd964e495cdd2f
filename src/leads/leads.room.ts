import type { Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { SettingsService } from '../settings/settings.service.js';
import { LeadDirectoryResolver } from './directory.resolver.js';
import type { LeadPorts } from './lead.ports.js';
import { LeadResolver } from './lead.resolver.js';
import { LeadService } from './lead.service.js';
import { LeadStatusService } from './lead-status.service.js';
import { ProfileService } from './profile.service.js';
import { ProfileStore } from './profile.store.js';

/** Profiles of customers and leads for financial products. */
export function createLeads(base: Base, ledger: LedgerService, settings: SettingsService, ports: LeadPorts): Room {
  const { pool, orm, encryption, config } = base;
  const profiles = new ProfileStore(pool, encryption, config.pepper);
  return {
    resolvers: [
      new LeadResolver(
        new ProfileService(ports, profiles),
        new LeadService(ports, profiles, settings, orm),
        new LeadStatusService(ports, ledger, orm),
        ledger,
      ),
      new LeadDirectoryResolver(ports),
    ],
  };
}
