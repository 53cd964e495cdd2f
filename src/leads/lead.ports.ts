import type { Environment } from '../core/environment.js';
import type { LeadsPort } from '../providers/ports/leads.port.js';

/** Who answers in each environment; UAT's is the sandbox, so that a UAT token can never cause a call to a provider. */
export type LeadPorts = Record<Environment, LeadsPort>;
