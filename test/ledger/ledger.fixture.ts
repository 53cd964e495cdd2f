import type { Pool } from 'pg';
import { expect } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { closeOrm, type EntityManager, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import type { CheckStep, Violation } from '../../src/ledger/books-check.js';
import { type Hold, type LedgerResolution, LedgerService } from '../../src/ledger/ledger.service.js';
import { topUpWith } from '../support/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { developerNumber } from '../support/ids.js';

/** The ledger service on its own database, with the application's role and without the rest of the application. */
export interface TestLedger {
  db: TestDatabase;
  pool: Pool;
  ledger: LedgerService;
  /** A wallet of a new developer with this balance in paise. */
  wallet(balancePaise: number, environment?: Environment): Promise<DeveloperId>;
  topUp(developerId: DeveloperId, amountPaise: number, reference: string, environment?: Environment): Promise<string>;
  balance(developerId: DeveloperId): Promise<number>;
  /** Names of the violated rules. */
  violations(): Promise<string[]>;
  /** Names of the rules violated by postings since the last check without a violation. */
  newViolations(): Promise<string[]>;
  /** Names of the rules that a complete run of the stepwise full check finds violated. */
  steppedViolations(lines?: number): Promise<string[]>;
  /** The next step of the full check, which is made due: reads this many entries or orders, or as many as in a process. */
  step(lines?: number, ledger?: LedgerService): Promise<CheckStep>;
  close(): Promise<void>;
}

export const holdOf = (
  developerId: DeveloperId,
  amountPaise: number,
  { id = newId(), ...more }: Partial<Hold> = {},
): Hold => ({
  developerId,
  environment: 'production',
  operation: 'recharge',
  id,
  reference: referenceOf(id),
  clientKey: null,
  fingerprint: Buffer.alloc(32),
  amountPaise: paise(amountPaise),
  provider: 'ROUNDPAY',
  request: Buffer.from('sealed'),
  accountHash: Buffer.alloc(32),
  leaseMs: 60_000,
  ...more,
});

export const resolutionOf = (
  { developerId, id }: Pick<Hold, 'developerId' | 'id'>,
  success: boolean,
  more: Partial<LedgerResolution> = {},
): LedgerResolution => ({
  developerId,
  id,
  success,
  result: Buffer.from('sealed'),
  providerTxnId: '',
  event: 'response',
  detail: { reason: 'provider_success' },
  recheckAfterMs: null,
  ...more,
});

const rulesOf = (violations: Violation[]): string[] => [...new Set(violations.map(({ rule }) => rule))].toSorted();

export async function startTestLedger(size = 8): Promise<TestLedger> {
  const db = await createTestDatabase();
  const pool = createPool(db.url, { max: size });
  const orm = openOrm(pool, []);
  const ledger = new LedgerService(pool);
  const em = (): EntityManager => orm.em.fork();
  let lastNumber = 5_000;

  const topUp: TestLedger['topUp'] = (developerId, amountPaise, reference, environment = 'production') =>
    em().transactional((tx) =>
      topUpWith(ledger, { developerId, environment, amountPaise: paise(amountPaise), reference }, tx),
    );
  const step: TestLedger['step'] = async (lines, by = ledger) => {
    await db.query('update ledger_full_check set next_step_at = now()');
    return by.checkStep(lines === undefined ? {} : { rows: lines, forMs: 0 });
  };
  return {
    db,
    pool,
    step,
    steppedViolations: async (lines) => {
      expect((await step(lines)).outcome).toBe('begun');
      while ((await step(lines)).outcome === 'going on');
      return rulesOf((await ledger.lastFullCheck()).violations);
    },
    ledger,
    topUp,
    wallet: async (balancePaise, environment = 'production') => {
      const developerId = developerNumber(++lastNumber);
      await em().transactional((tx) => ledger.openWallets(developerId, tx));
      if (balancePaise > 0) await topUp(developerId, balancePaise, 'opening', environment);
      return developerId;
    },
    balance: async (developerId) => Number((await ledger.wallet(developerId, 'production')).balancePaise),
    violations: async () => rulesOf(await ledger.check()),
    newViolations: async () => rulesOf(await ledger.checkNew()),
    close: async () => {
      await closeOrm(orm, pool);
      await db.drop();
    },
  };
}
