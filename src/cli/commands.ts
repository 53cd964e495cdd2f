export interface Command {
  /** One line of `gateway --help` and of docs/reference-operation.md. */
  does: string;
  /** The program: it reads the arguments that follow the command's name. */
  run: () => Promise<unknown>;
}

export const commands: Readonly<Record<string, Command>> = {
  migrate: { does: 'migrates the database; --wait waits for another migration', run: () => import('./migrate.js') },
  serve: { does: 'starts a process of the service; --check only checks', run: () => import('../main.js') },
  health: { does: 'checks whether the local process is alive, or ready', run: () => import('./health.js') },
  doctor: { does: 'checks settings, database, books and audit log', run: () => import('./doctor.js') },
  user: { does: 'manages staff, the first administrator included', run: () => import('./user.js') },
  developer: { does: 'exports, closes or credits an account', run: () => import('./developer.js') },
  reconcile: { does: 'compares the statement of a provider with our orders', run: () => import('./reconcile.js') },
  ledger: { does: 'corrects a wallet whose balance changed without a transfer', run: () => import('./ledger.js') },
  archive: { does: 'moves old months from the database to files', run: () => import('./archive.js') },
  'rotate-keys': { does: 're-encrypts under the first of ENCRYPTION_KEYS', run: () => import('./rotate-keys.js') },
  secrets: { does: 'accepts new secrets after secrets were lost', run: () => import('./secrets.js') },
  audit: { does: 'exports the audit log of a period, or verifies an export', run: () => import('./audit.js') },
  restore: { does: 'continues after a restored backup, step by step', run: () => import('./restore.js') },
  'support-bundle': {
    does: 'collects data for support, without secrets and personal data',
    run: () => import('./support-bundle.js'),
  },
  settings: { does: 'lists every setting with its default', run: () => import('./settings-list.js') },
};
