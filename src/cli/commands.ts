export interface Command {
  /** Description in `gateway --help` and in docs/reference-operation.md. */
  description: string;
  /** Runs the command, which reads the arguments after its name. */
  run: () => Promise<unknown>;
}

export const commands: Readonly<Record<string, Command>> = {
  migrate: {
    description: 'migrates the database; --wait waits until it is migrated',
    run: () => import('./migrate.js'),
  },
  serve: {
    description: 'starts a process of the service; --check only checks whether it can start',
    run: () => import('../main.js'),
  },
  health: { description: 'checks whether the local process is alive or ready', run: () => import('./health.js') },
  doctor: { description: 'checks settings, database, ledger and audit log', run: () => import('./doctor.js') },
  user: { description: 'manages staff and creates the first administrator', run: () => import('./user.js') },
  developer: { description: 'exports, closes or credits accounts', run: () => import('./developer.js') },
  reconcile: { description: 'compares a provider statement with our orders', run: () => import('./reconcile.js') },
  ledger: {
    description: 'corrects a wallet whose balance changed without a transfer',
    run: () => import('./ledger.js'),
  },
  archive: { description: 'moves old months from the database to files', run: () => import('./archive.js') },
  'rotate-keys': {
    description: 're-encrypts stored values with the first of ENCRYPTION_KEYS',
    run: () => import('./rotate-keys.js'),
  },
  secrets: { description: 'accepts new secrets after secrets were lost', run: () => import('./secrets.js') },
  audit: { description: 'exports the audit log or verifies an export', run: () => import('./audit.js') },
  restore: { description: 'guides you through the steps after restoring a backup', run: () => import('./restore.js') },
  'support-bundle': {
    description: 'collects data for support without secrets and personal data',
    run: () => import('./support-bundle.js'),
  },
  settings: { description: 'lists every setting with its default', run: () => import('./settings-list.js') },
};
