import { createHash } from 'node:crypto';
import { postCredit, type WalletCredit } from '../../src/accounts/wallet-credit.js';
import type { App } from '../../src/app.js';
import type { Actor } from '../../src/audit/audit.service.js';
import { inTransaction } from '../../src/db/orm.js';

/** UTR for a reference; equal for all spellings of the reference. */
export const utrFor = (reference: string): string => {
  const text = reference
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u200b-\u200d]/g, '');
  const key = text
    .replace(/\s+/g, ' ')
    .replace(/[^a-z0-9 ]/g, '-')
    .trim();
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `TEST${String(Number.parseInt(hash, 16) % 1e12).padStart(12, '0')}`;
};

/** Credits a wallet as the command does: in Production, admins would need a second approver above a limit. */
export const creditWallet = (app: App, credit: WalletCredit, by: Actor) =>
  inTransaction(app.orm, (tx) => postCredit({ reason: 'A test', ...credit }, by, app, tx));
