import { amounts, callbacks, checks, orders } from './order.settings.js';
import { processes } from './process.settings.js';
import { providerSettings } from './provider.settings.js';
import { accounts, auditLog, database, hosts, mails, secrets, traffic, webhooks } from './service.settings.js';
import { settingsIn, type Tree, type Values } from './setting.js';

const providers = { providers: providerSettings };

/** Every setting, as the documents group them. */
export const sections: Readonly<Record<string, Tree>> = {
  'Database and processes': { ...database, ...processes },
  Secrets: secrets,
  'Audit log': auditLog,
  'Hosts and ports': hosts,
  'Orders that wait for their provider': orders,
  'Amounts and approvals': amounts,
  'Checks of the books': checks,
  'Callbacks of providers': callbacks,
  Providers: providers,
  'Limits for clients': traffic,
  'Tokens and sessions': accounts,
  Webhooks: webhooks,
  Emails: mails,
};

/** The same, as the code reads them. */
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
  ...mails,
};

export type Config = Values<typeof settings>;

export const allSettings = settingsIn(settings);
