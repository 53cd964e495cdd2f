import { DeveloperEntity, WhiteLabelEntity } from '../accounts/account.entities.js';
import { KEY_IS_LIVE } from '../accounts/keys/credential.state.js';
import { postCredit } from '../accounts/wallet-credit.js';
import type { App } from '../app.js';
import type { Actor } from '../audit/audit.service.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { type Paise, paise, rupees } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { randomToken } from '../core/secret.js';
import { services } from '../core/services.js';
import { inTransaction } from '../db/orm.js';

export interface Keys {
  clientId: string;
  apiSecret: string;
}
export interface SignIn {
  email: string;
  password: string;
}

/** Secrets that can be shown only once. */
export interface DemoSecrets {
  uat: Keys;
  production: Keys;
  mokshiq: Keys;
  uatOnly: Keys;
  admin: SignIn;
  /** Administrator who approves requests of the first one. */
  secondAdmin: SignIn;
  developer: SignIn;
}

const by: Actor = { actor: 'system:seed', requestId: 'seed' };
const FEES: Partial<Record<(typeof services)[number], Paise>> = {
  operator_fetch: paise(10),
  operator_plan_fetch: paise(25),
};
const OTHER_FEE = paise(10);
const LIVE_MONEY = rupees(10_000);

/** Continues an interrupted seed: completed steps fail with CONFLICT, which is ignored. */
async function ignoreConflict(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  }
}

async function developerWith(app: App, name: string, email: string): Promise<DeveloperId> {
  const existing = await app.orm.em.fork().findOne(DeveloperEntity, { email });
  const id = existing ? (existing.id as DeveloperId) : await app.developers.register({ name, email }, by);
  await ignoreConflict(app.developers.markEmailVerified(id, by));
  await ignoreConflict(app.developers.markKycSubmitted(id, by));
  await ignoreConflict(app.developers.change('approveDeveloper', { developerId: id }, by));
  for (const service of services) {
    const access = { developerId: id, service, enabled: true, fee: FEES[service] ?? OTHER_FEE };
    await app.developers.change('setServiceAccess', access, by);
  }
  return id;
}

async function creditProduction(app: App, developerId: DeveloperId, utr: string): Promise<void> {
  await ignoreConflict(app.developers.change('unlockProduction', { developerId }, by));
  const reference = 'Demo opening balance';
  const credit = { environment: 'production', amountPaise: LIVE_MONEY, reference, utr } as const;
  await ignoreConflict(inTransaction(app.orm, (tx) => postCredit({ developerId, ...credit }, by, app, tx)));
}

/** Creates API keys and revokes those of an interrupted seed, whose secrets are unknown. */
async function keysOf(app: App, developerId: DeveloperId, environment: Environment): Promise<Keys> {
  const { rows } = await app.pool.query<{ client_id: string }>(
    `select c.client_id from credential c where c.developer_id = $1 and c.environment = $2 and ${KEY_IS_LIVE}`,
    [developerId, environment],
  );
  for (const { client_id } of rows) await app.credentials.revoke({ developerId, clientId: client_id }, 'keep', by);
  const { clientId, apiSecret } = await app.credentials.create(developerId, environment, 'Demo', by);
  return { clientId, apiSecret };
}

async function userWith(app: App, email: string, name: string, developerId?: DeveloperId): Promise<SignIn> {
  const password = randomToken('').slice(0, 20);
  try {
    await app.users.create({ email, name, password, role: developerId ? 'developer' : 'admin', developerId }, by);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    await app.users.setPassword(email, password, by);
  }
  return { email, password };
}

/** Creates the demo accounts with the services of the console. It is safe to repeat; each run creates new secrets. */
export async function seedDemo(app: App, defaultLeadCustomer: string): Promise<DemoSecrets> {
  const main = await developerWith(app, 'Demo Fintech', 'developer@demo.example');
  await creditProduction(app, main, 'DEMO000000000001');
  const uatOnly = await developerWith(app, 'Demo UAT only', 'uat-only@demo.example');
  const labelled = await developerWith(app, 'Demo Mokshiq', 'mokshiq@demo.example');
  await creditProduction(app, labelled, 'DEMO000000000002');
  await ignoreConflict(app.whiteLabels.create('Demo White Label', 'MOKSHIQ', by));
  const label = await app.orm.em.fork().findOneOrFail(WhiteLabelEntity, { name: 'Demo White Label' });
  await app.developers.change('moveToWhiteLabel', { developerId: labelled, whiteLabelId: label.id }, by);
  for (const environment of ['uat', 'production'] as const) {
    await app.platformSettings.setDefaultLeadCustomer(environment, defaultLeadCustomer, by);
  }
  return {
    uat: await keysOf(app, main, 'uat'),
    production: await keysOf(app, main, 'production'),
    mokshiq: await keysOf(app, labelled, 'production'),
    uatOnly: await keysOf(app, uatOnly, 'uat'),
    admin: await userWith(app, 'admin@demo.example', 'Demo Admin'),
    secondAdmin: await userWith(app, 'second-admin@demo.example', 'Second Admin'),
    developer: await userWith(app, 'developer@demo.example', 'Demo Developer', main),
  };
}

/**
 * Returns whether the accounts and valid API keys of an earlier start exist, so they are shown again instead of being replaced.
 */
export async function isDemoIntact(
  app: App,
  demo: Omit<DemoSecrets, 'admin' | 'secondAdmin' | 'developer'> & {
    console: { admin: SignIn; secondAdmin?: SignIn };
  },
): Promise<boolean> {
  // an earlier version did not write one
  if (!demo.console.secondAdmin) return false;
  const clientIds = [demo.uat, demo.production, demo.mokshiq, demo.uatOnly].map(({ clientId }) => clientId);
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from credential c where c.client_id = any($1) and ${KEY_IS_LIVE}`,
    [clientIds],
  );
  return rows[0]!.n === clientIds.length;
}
