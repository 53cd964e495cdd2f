export interface Command {
  /** Description in `gateway --help` and in docs/reference-operation.md. */
  does: string;
  /** Runs the command, which reads the arguments after its name. */
  run: () => Promise<unknown>;
}

export const commands: Readonly<Record<string, Command>> = {
  migrate: { does: 'migrates the database; --wait waits until it is migrated', run: () => import('./migrate.js') },
  serve: {
    does: 'starts a process of the service; --check only checks whether it can start',
    run: () => import('../main.js'),
  },
  health: { does: 'checks whether the local process is alive or ready', run: () => import('./health.js') },
  doctor: { does: 'checks settings, database, ledger and audit log', run: () => import('./doctor.js') },
  user: { does: 'manages staff and creates the first administrator', run: () => import('./user.js') },
  developer: { does: 'exports, closes or credits accounts', run: () => import('./developer.js') },
  reconcile: { does: 'compares a provider statement with our orders', run: () => import('./reconcile.js') },
  ledger: { does: 'corrects a wallet whose balance changed without a transfer', run: () => import('./ledger.js') },
  archive: { does: 'moves old months from the database to files', run: () => import('./archive.js') },
  'rotate-keys': {
    does: 're-encrypts stored values with the first of ENCRYPTION_KEYS',
    run: () => import('./rotate-keys.js'),
  },
  secrets: { does: 'accepts new secrets after secrets were lost', run: () => import('./secrets.js') },
  audit: { does: 'exports the audit log or verifies an export', run: () => import('./audit.js') },
  restore: { does: 'guides you through the steps after restoring a backup', run: () => import('./restore.js') },
  'support-bundle': {
    does: 'collects data for support without secrets and personal data',
    run: () => import('./support-bundle.js'),
  },
  settings: { does: 'lists every setting with its default', run: () => import('./settings-list.js') },
};
