import type { Environment } from '../core/environment.js';
import type { LeadsPort } from '../providers/ports/leads.port.js';

/** Provider of leads in each environment. UAT uses the sandbox, so a UAT token can never cause a call to a provider. */
export type LeadPorts = Record<Environment, LeadsPort>;
