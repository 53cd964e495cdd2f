import type { App } from '../../../src/app.js';
import type { Environment } from '../../../src/core/environment.js';
import { paise, rupees } from '../../../src/core/money.js';
import type { DeveloperId, Role } from '../../../src/core/principal.js';
import { randomToken } from '../../../src/core/secret.js';
import { services } from '../../../src/core/services.js';
import { demoLeadCustomerId } from '../../../src/simulator/credentials.js';
import { seed } from '../../support/app.js';
import { creditWallet } from '../../support/credit.js';
import type { TestDatabase } from '../../support/database.js';
import { accessTokenRow } from '../../support/row-keys.js';

/** Fee of every service. */
export const FEE_PAISE = 150;
const environments: readonly Environment[] = ['uat', 'production'];
const USER_PASSWORD = 'a password for the fuzzer only';

export interface Account {
  /**
   * `owner`: everything; `other`: the same; `poor`: no money; `bare`: no service; `revoked`: its tokens have expired; `garbled`:
   * everything, for documents that may no longer select their cost.
   */
  name: 'owner' | 'other' | 'poor' | 'bare' | 'revoked' | 'garbled' | 'victim';
  developerId: DeveloperId;
  values: ReadonlyMap<string, string>;
}

export interface User {
  name: string;
  email: string;
  password: string;
}

export async function createAccounts(app: App, db: TestDatabase): Promise<Account[]> {
  const victim = await createAccount(app, db, 'victim');
  const victimUser = await app.users.create(
    { email: 'victim@users.example', name: 'Victim', password: USER_PASSWORD, role: 'support' },
    seed,
  );
  const accounts: Account[] = [{ ...victim, values: new Map([...victim.values, ['user.victim', victimUser]]) }];
  for (const name of ['owner', 'other', 'poor', 'bare', 'revoked', 'garbled'] as const)
    accounts.push(await createAccount(app, db, name));
  await db.query(
    `insert into setting (environment, name, value) values ('production', 'default_lead_customer', $1) on conflict do nothing`,
    [demoLeadCustomerId],
  );
  return accounts;
}

async function createAccount(app: App, db: TestDatabase, name: Account['name']): Promise<Account> {
  const { developers } = app;
  const id = await developers.register({ name: `Account ${name}`, email: `${name}@accounts.example` }, seed);
  await developers.markEmailVerified(id, seed);
  await developers.markKycSubmitted(id, seed);
  await developers.change('approveDeveloper', { developerId: id }, seed);
  await developers.change('unlockProduction', { developerId: id }, seed);
  if (name !== 'bare')
    for (const service of services)
      await developers.change(
        'setServiceAccess',
        { developerId: id, service, enabled: true, fee: paise(FEE_PAISE) },
        seed,
      );
  if (name === 'other') await developers.assignProvider(id, 'MOKSHIQ', seed);
  if (name !== 'poor')
    for (const environment of environments)
      await creditWallet(
        app,
        { developerId: id, environment, amountPaise: rupees(1_00_00_000), reference: 'opening' },
        seed,
      );
  const values = new Map<string, string>([[`developer.${name}`, id]]);
  for (const environment of environments) {
    const { clientId, apiSecret } = await app.credentials.create(id, environment, undefined, seed);
    if (name === 'owner') values.set(`clientId.${environment}`, clientId).set(`secret.${environment}`, apiSecret);
    if (name === 'victim') values.set('clientId.victim', clientId);
    values.set(`token.${name}-${environment}`, await createToken(db, id, environment, clientId, name === 'revoked'));
  }
  return { name, developerId: id, values };
}

/** Creates a token by SQL, because the issue of tokens is the subject of some cases. */
async function createToken(
  db: TestDatabase,
  developerId: DeveloperId,
  environment: Environment,
  clientId: string,
  ended: boolean,
): Promise<string> {
  const token = randomToken(environment === 'uat' ? 'at_uat_' : 'at_live_');
  const expiresAt = new Date(Date.now() + (ended ? -1 : 7) * 86_400_000);
  const { hash, mac } = accessTokenRow(token, { developerId, environment, clientId, expiresAt });
  await db.query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, mac)
     values ($1, $2, $3, $4, $5, $5, $6)`,
    [hash, developerId, environment, clientId, expiresAt, mac],
  );
  return token;
}

/** Creates several users of every role, because each user has a separate rate limit. */
export async function createUsers(app: App, accounts: readonly Account[]): Promise<User[]> {
  const developerId = accounts.find(({ name }) => name === 'victim')!.developerId;
  const names: [string, Role][] = [
    ['admin', 'admin'],
    ['admin-2', 'admin'],
    ['admin-3', 'admin'],
    ['support', 'support'],
    ['developer', 'developer'],
    ['developer-2', 'developer'],
    ['developer-3', 'developer'],
  ];
  const users: User[] = [];
  for (const [name, role] of names) {
    const email = `${name}@users.example`;
    await app.users.create(
      { email, name, password: USER_PASSWORD, role, ...(role === 'developer' ? { developerId } : {}) },
      seed,
    );
    users.push({ name, email, password: USER_PASSWORD });
  }
  return users;
}
