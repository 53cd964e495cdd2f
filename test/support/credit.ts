import { postCredit, type WalletCredit } from '../../src/accounts/wallet-credit.js';
import type { App } from '../../src/app.js';
import type { Actor } from '../../src/audit/audit.service.js';
import { inTransaction } from '../../src/db/orm.js';

/** Money in a wallet, as a command puts it there: above a limit, admins would need a second person in production. */
export const creditWallet = (app: App, credit: WalletCredit, by: Actor) =>
  inTransaction(app.orm, (tx) => postCredit(credit, by, app, tx));
