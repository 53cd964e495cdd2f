import { amounts, callbacks, checks, orders } from './order.settings.js';
import { processes } from './process.settings.js';
import { providerSettings } from './provider.settings.js';
import { accounts, auditLog, database, emails, hosts, secrets, traffic, webhooks } from './service.settings.js';
import { settingsIn, type Tree, type Values } from './setting.js';

const providers = { providers: providerSettings };

/** Every setting, grouped as in the documents. */
export const sections: Readonly<Record<string, Tree>> = {
  'Database and processes': { ...database, ...processes },
  Secrets: secrets,
  'Audit log': auditLog,
  'Hosts and ports': hosts,
  'Orders and status checks': orders,
  'Amounts and approvals': amounts,
  'Ledger checks': checks,
  'Provider callbacks': callbacks,
  Providers: providers,
  'Client limits': traffic,
  'Tokens and sessions': accounts,
  Webhooks: webhooks,
  Emails: emails,
};

/** Every setting, as the code reads it. */
export const settings = {
  ...database,
  ...processes,
  ...secrets,
  ...auditLog,
  ...hosts,
  ...orders,
  ...amounts,
  ...checks,
  ...callbacks,
  ...providers,
  ...traffic,
  ...accounts,
  ...webhooks,
  ...emails,
};

export type Config = Values<typeof settings>;

export const allSettings = settingsIn(settings);
