import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountEntities } from '../../src/accounts/account.entities.js';
import { ClosingService } from '../../src/accounts/developers/closing.service.js';
import { CredentialService } from '../../src/accounts/keys/credential.service.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { UserService } from '../../src/accounts/people/user.service.js';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { AppError } from '../../src/core/errors.js';
import { createLogger } from '../../src/core/log.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { RowKeys } from '../../src/core/row-keys.js';
import { type EntityManager, openOrm } from '../../src/db/orm.js';
import { createEmails } from '../../src/mails/emails.room.js';
import type { OrderService } from '../../src/orders/order.service.js';
import type { StatusCheckOutcome } from '../../src/providers/outcome.js';
import type { StatementStatus } from '../../src/providers/provider.js';
import { compare } from '../../src/reconcile/compare.js';
import { booksOf, followUp } from '../../src/reconcile/reconcile.js';
import { resolvedByStatement } from '../../src/reconcile/resolved-by-statement.js';
import { keepRun } from '../../src/reconcile/statement-run.js';
import { WebhookEndpointEntity } from '../../src/webhooks/webhook-endpoint.entity.js';
import { WebhookEndpointService } from '../../src/webhooks/webhook-endpoint.service.js';
import { archiveOf, monthsBefore } from '../ledger/archive.fixture.js';
import { auditService, topUpWith } from '../support/audit.js';
import { createTestDatabase } from '../support/database.js';
import { developerNumber } from '../support/ids.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import type { Capability } from './commands.js';
import { Admins } from './database-admins.js';
import { openServices, pepper, type SharedServices, servicesFor } from './database-services.js';
import { advanceTime } from './database-time.js';
import { ADVANCES, type AdminResult, LEASE_MS, RECHECK_MS } from './machine.js';
import {
  type Cell,
  type Group,
  type Outcome,
  outcomes,
  rowsOf,
  type StoredAs,
  storedAs,
  type Value,
} from './state-machine.js';

/** Below the limits, so that one admin can resolve an order, and two can correct it. */
const AMOUNT = 100;
const ACCOUNT = '9876543210';
const DAY_MS = 24 * 3_600_000;
const TRANSACTION = 'T1';

/** Shared by the cells: a database, its services, and the commands that close accounts and archive months. */
interface Stage {
  shared: SharedServices;
  closing: ClosingService;
  archive(): Promise<unknown>;
  close(): Promise<void>;
}

async function openStage(): Promise<Stage> {
  const db = await createTestDatabase();
  const shared = await openServices(db);
  const { pool, encryption, ledger } = shared;
  const orm = openOrm(pool, [...accountEntities, WebhookEndpointEntity]);
  const log = createLogger('silent');
  const emails = createEmails(
    { pool, encryption, log },
    { smtpUrl: undefined, mailboxDir: temporaryDirectory(), from: 'Test <test@test.example>', supervise: false },
  );
  const consoleUrl = 'http://console.test.example';
  const rowKeys = new RowKeys(pepper);
  const passwords = new Passwords(rowKeys);
  const parts = { orm, audit: auditService, mails: emails, consoleUrl };
  const endpoints = new WebhookEndpointService({ ...parts, encryption }, { consoleUrl } as never);
  const archive = archiveOf({ db, ledger });
  return {
    shared,
    closing: new ClosingService({
      ...parts,
      endpoints,
      users: new UserService({ ...parts, passwords }),
      credentials: new CredentialService({ ...parts, rowKeys, endpoints }),
    }),
    archive: () => archive.run(temporaryDirectory()),
    close: async () => {
      try {
        expect(await ledger.check()).toEqual([]);
      } finally {
        await passwords.close();
        await emails.close();
        await archive.close();
        await orm.close();
        await shared.close();
        await db.drop();
      }
    },
  };
}

/** Outcome of a provider, in a response or in a status check. */
const providerOutcomes: Readonly<Record<string, StatusCheckOutcome<{ providerTxnId: string }>>> = {
  accepted: {
    kind: 'accepted',
    value: { providerTxnId: TRANSACTION },
    evidence: { reason: 'provider_success', providerTxnId: TRANSACTION },
  },
  declined_named: { kind: 'declined', evidence: { reason: 'provider_failure', providerTxnId: TRANSACTION } },
  declined: { kind: 'declined', evidence: { reason: 'provider_failure' } },
  declined_other: { kind: 'declined', evidence: { reason: 'provider_failure', providerTxnId: 'T2' } },
  not_found: { kind: 'not_found', evidence: { reason: 'provider_not_found' } },
  not_found_unproven: { kind: 'not_found', evidence: { reason: 'provider_not_found' } },
  unknown: { kind: 'unknown', evidence: { reason: 'provider_pending', providerTxnId: TRANSACTION } },
};

/** All stored data of an order. */
interface Snapshot {
  now: string;
  row: Record<string, string | number | null> | null;
  due: { due_at: string; waited_for: boolean } | null;
  review: string | null;
  postings: string[];
  timeline: string[];
  balance: string;
  approvalRequests: number;
  archived: string | null;
  /** Whether a check that calls the success reversed proves it. */
  provable: boolean;
}

/** State of an order, from its row; see `State` in state-machine.ts. */
function tagsOf({ row, due, provable }: Snapshot, group: Group): string {
  if (!row) return 'archived';
  const reversed = row.reversed_at !== null;
  const charged = row.state === 'success' && !reversed;
  const tags: Readonly<Record<StoredAs, boolean>> = {
    open: row.state === 'open',
    review: row.state === 'review',
    success: charged,
    failed: row.state === 'failed',
    reversed,
    unknown: row.state === 'open' && row.unknown_since !== null,
    missing: Number(row.not_found) > 0 && (row.state === 'open' || row.state === 'review'),
    withdrawn: row.state === 'open' && row.send_claimed_at === '-infinity',
    claimed: row.state === 'open' && row.send_claimed_at !== null && row.send_claimed_at !== '-infinity',
    doubt: row.doubted_since !== null,
    recheck: charged && due !== null && row.doubted_since === null,
    staff: charged && group === 'checkable' && !provable,
    conflict: row.status_conflict_at !== null,
    archived: false,
  };
  return (Object.keys(storedAs) as StoredAs[]).filter((tag) => tags[tag]).join(' ');
}

const OBSTACLES: readonly [RegExp, NonNullable<Outcome['result']>][] = [
  [/held\. Wait for the outcome/, 'held'],
  [/needs? review/, 'in_review'],
  [/conflicting provider status/, 'conflicting'],
  [/rechecked until/, 'rechecks'],
  [/Production wallet has a balance/, 'wallet'],
];

let created = 0;

/** One order of a separate developer, with a separate provider. */
class Play {
  readonly #stage: Stage;
  readonly #cell: Cell;
  readonly #developerId = developerNumber(300_000 + ++created);
  readonly #providerOf = (capability: Capability): string => `${capability}-${this.#developerId.slice(-6)}`;
  readonly #services: ReturnType<typeof servicesFor>;
  readonly #admins: Admins;
  readonly #placement: OrderService;
  readonly #capability: Capability;
  readonly #claim = Promise.withResolvers<void>();
  readonly #sent = Promise.withResolvers<void>();
  readonly #response = Promise.withResolvers<unknown>();
  #outcome = providerOutcomes.unknown!;
  #checks = 0;
  #order = { id: '', reference: '', createdAt: new Date() };

  private constructor(stage: Stage, cell: Cell) {
    this.#stage = stage;
    this.#cell = cell;
    const unproven = cell.event === 'not_found_unproven';
    this.#capability = cell.group === 'checkable' ? (unproven ? 'cautious' : 'direct') : 'silent';
    this.#services = servicesFor(stage.shared, {
      providerOf: this.#providerOf,
      checkStatus: () => {
        this.#checks++;
        return this.#outcome;
      },
      leadStatus: () => '',
    });
    this.#services.onClaim(async (_id, claim) => {
      await this.#claim.promise;
      return claim();
    });
    this.#placement = this.#services.newProcess(1);
    this.#admins = new Admins(this.#services, this.#developerId);
  }

  /** Brings the order into the state of the cell. Errors: the order is in another state. */
  static async start(stage: Stage, cell: Cell): Promise<Play> {
    const play = new Play(stage, cell);
    await play.#place();
    for (const step of cell.state.path) await play.#step(step);
    const row = tagsOf(await play.#snapshot(), cell.group);
    if (row !== cell.state.row) throw new Error(`The path leads to "${row}", not to "${cell.state.row}".`);
    return play;
  }

  /** Differences from the cell after its event; empty if there are none. */
  async differences(): Promise<string[]> {
    const { family, event, group } = this.#cell;
    if (family === 'check') await this.#makeDue();
    if (event === 'lease') await advanceTime(this.#stage.shared.owner, this.#developerId, LEASE_MS);
    const snapshotBefore = await this.#snapshot();
    const result = await this.#event(family, event);
    const after = await this.#snapshot();
    const expected: Outcome = outcomes[this.#cell.outcome!];
    const changed = [...differencesOf(snapshotBefore, after, expected, this.#cell)];
    if (result !== expected.result) changed.push(`result ${result}, not ${expected.result}`);
    const row = tagsOf(after, group);
    if (!rowsOf(group).has(row)) changed.push(`no state has the row "${row}"`);
    return changed;
  }

  /** Number of checks that a sweeper makes, for a cell that cannot happen because no check is due. */
  async checksWhenIdle(): Promise<number> {
    const checksBefore = this.#checks;
    await advanceTime(this.#stage.shared.owner, this.#developerId, DAY_MS);
    await this.#services.sweeper.sweep();
    return this.#checks - checksBefore;
  }

  async #place(): Promise<void> {
    const { shared } = this.#stage;
    const { owner, orm, ledger } = shared;
    const developerId = this.#developerId;
    await owner.query('insert into developer (id, name, email) values ($1, $2, $3)', [
      developerId,
      'State machine',
      `states-${developerId}@test.example`,
    ]);
    await orm.em.fork().transactional(async (em) => {
      const tx = em as EntityManager;
      await ledger.openWallets(developerId, tx);
      const credit = { developerId, environment: 'production', amountPaise: paise(AMOUNT), reference: 'bank' } as const;
      await topUpWith(ledger, credit, tx);
    });
    const isLookup = this.#cell.group === 'lookup';
    const { orderId, reference, createdAt } = await this.#placement.place({
      principal: { kind: 'developer', developerId, environment: 'production' } as DeveloperPrincipal,
      operation: isLookup ? 'lookup' : this.#capability === 'cautious' ? 'card_payment' : 'recharge',
      amountPaise: paise(AMOUNT),
      clientKey: 'key',
      identity: { bill: 1 },
      account: ACCOUNT,
      provider: this.#providerOf(this.#capability),
      request: { body: 1 },
      send: () => {
        this.#sent.resolve();
        return this.#response.promise as never;
      },
    });
    this.#order = { id: orderId, reference, createdAt };
    if (this.#cell.group !== 'uncheckable') await this.#sent.promise;
  }

  async #step(step: string): Promise<void> {
    const [kind = '', event = ''] = step.split(' ');
    const { owner } = this.#stage.shared;
    switch (kind) {
      case 'wait': {
        const ms = event === 'shown' ? ADVANCES.visibility : event === 'day' ? ADVANCES.day : RECHECK_MS;
        return advanceTime(owner, this.#developerId, ms);
      }
      case 'claim':
        this.#claim.resolve();
        return this.#sent.promise;
      case 'withdraw':
        await this.#services.statusCheckStore.claim(
          { developerId: this.#developerId, id: this.#order.id },
          'never send',
        );
        return;
      case 'forget':
        await advanceTime(owner, this.#developerId, ADVANCES.visibility);
        await this.#stage.shared.pool.query('select lookup_release(1000)');
        return;
      case 'check':
      case 'end':
        if (event !== 'window' && event !== 'archive') await this.#makeDue();
    }
    await this.#event(kind as Cell['family'], event);
  }

  /** Triggers the event in the responsible part of the product. Returns the result for the caller if nothing changes. */
  async #event(family: Cell['family'], event: string): Promise<Outcome['result']> {
    switch (family) {
      case 'response':
        this.#response.resolve(providerOutcomes[event]);
        await this.#placement.drain();
        return undefined;
      case 'check': {
        const checksBefore = this.#checks;
        this.#outcome = providerOutcomes[event]!;
        await this.#services.sweeper.sweep();
        if (this.#checks !== checksBefore + 1) throw new Error(`${this.#checks - checksBefore} checks were made.`);
        return undefined;
      }
      case 'callback':
        await this.#services.callbacks.receive(
          this.#providerOf(this.#capability),
          new Map([
            ['reference', this.#order.reference],
            ['status', event],
          ]),
        );
        return undefined;
      case 'statement':
        return this.#reconcile(event as StatementStatus);
      case 'staff':
        return this.#staff(event);
      case 'end':
        return this.#end(event);
    }
  }

  /** Compares a statement of one line, as `gateway reconcile` does. */
  async #reconcile(status: StatementStatus): Promise<Outcome['result']> {
    const { pool, orm } = this.#stage.shared;
    const { reference, id } = this.#order;
    const { row } = await this.#snapshot();
    const at = new Date(row ? String(row.created_at) : this.#order.createdAt);
    const period = { from: new Date(at.getTime() - 3 * DAY_MS), to: new Date(at.getTime() + 3 * DAY_MS) };
    const provider = this.#providerOf(this.#capability);
    const options = { provider, period, windowMs: 15 * 60_000, pepper };
    // a provider without a status check takes no reference
    const line = {
      line: 2,
      reference: this.#cell.group === 'uncheckable' ? '' : reference,
      account: ACCOUNT,
      amountPaise: paise(AMOUNT),
      status,
      at,
    };
    const books = await booksOf(pool, [line], options);
    const comparison = compare(books.orders, books.lines, { ...options, archived: books.archived, now: new Date() });
    const resolved = resolvedByStatement(books.orders, books.lines, options);
    const run = { provider, fileHash: randomBytes(32), period, comparison, decided: resolved };
    const parts = { orm, audit: auditService, approvalRequests: new ApprovalRequestStore(pool) };
    const { requested = 0 } = (await keepRun(run, 'admin-1@test.example', parts)).approvalRequest ?? {};
    await followUp(pool, comparison, this.#cell.group !== 'uncheckable');
    // the sweeper keeps an order without a status check only until its next round
    if (this.#cell.group === 'uncheckable' && row?.state === 'success') await this.#services.sweeper.sweep();
    if (requested > 0 && resolved[0]?.order.id !== id) throw new Error('The statement resolves a different order.');
    return requested > 0 ? 'requested' : undefined;
  }

  async #staff(event: string): Promise<Outcome['result']> {
    const { id } = this.#order;
    try {
      if (event === 'check') return (await this.#admins.requestCheck(id)) === 'asked' ? undefined : 'rejected';
      const result =
        event === 'settle' || event === 'refund'
          ? await this.#admins.resolve(id, event === 'settle', 0, (await this.#snapshot()).review === 'status_conflict')
          : await this.#byTwoAdmins(event as 'reverse' | 'refund_reversal');
      return result.result === 'executed' || result.result === 'confirmed' ? undefined : 'rejected';
    } catch (error) {
      if (error instanceof AppError && error.code === 'ORDER_ARCHIVED') return 'rejected';
      throw error;
    }
  }

  async #byTwoAdmins(action: 'reverse' | 'refund_reversal'): Promise<AdminResult> {
    const requested = await this.#admins.correct(action, this.#order.id, 0);
    return requested.result === 'requested' ? this.#admins.correct(action, this.#order.id, 1) : requested;
  }

  async #end(event: string): Promise<Outcome['result']> {
    const developerId = this.#developerId;
    const { owner } = this.#stage.shared;
    switch (event) {
      case 'window':
        await this.#placement.resolve(developerId, { orderId: this.#order.id, replayed: false });
        return undefined;
      case 'lease':
        await this.#services.sweeper.sweep();
        return undefined;
      case 'closing': {
        const by = { actor: 'system:test', requestId: 'test' } as const;
        const closing = await this.#stage.closing.close(developerId, 'Requested by letter', by);
        if (closing.outcome !== 'refused') return 'closed';
        return OBSTACLES.find(([pattern]) => closing.obstacles.some((obstacle) => pattern.test(obstacle)))?.[1];
      }
      default:
        await owner.query('update transfer set created_at = $2 where developer_id = $1', [
          developerId,
          monthsBefore(1).toISOString(),
        ]);
        await this.#stage.archive();
        return undefined;
    }
  }

  /** Lets time pass until the next check is due. Errors: no check is due. */
  async #makeDue(): Promise<void> {
    const { now, due } = await this.#snapshot();
    if (!due) throw new Error('No check is due.');
    const ms = Date.parse(due.due_at) - Date.parse(now);
    if (ms > 0) await advanceTime(this.#stage.shared.owner, this.#developerId, ms + 1_000);
  }

  async #snapshot(): Promise<Snapshot> {
    const { rows } = await this.#stage.shared.owner.query<Snapshot>({
      name: 'states-snapshot',
      text: `select to_jsonb(now()) #>> '{}' as now,
        (select to_jsonb(o) - array['request', 'fingerprint', 'account_hash'] from orders o where o.developer_id = $1 and o.id = $2) as row,
        (select to_jsonb(q) from order_due q where q.developer_id = $1 and q.order_id = $2) as due,
        (select v.reason from order_review v where v.order_id = $2) as review,
        (select coalesce(jsonb_agg(t.kind order by t.step), '[]') from transfer t where t.developer_id = $1 and t.subject_id = $2) as postings,
        (select coalesce(jsonb_agg(e.kind order by e.at, e.id), '[]') from order_event e where e.developer_id = $1 and e.order_id = $2) as timeline,
        (select w.balance_paise::text from wallet w where w.developer_id = $1 and w.environment = 'production') as balance,
        (select count(*)::integer from approval_request_order l join approval_request p on p.id = l.approval_request_id where l.order_id = $2 and p.final_state is null) as "approvalRequests",
        (select a.status from archived_order a where a.id = $2) as archived,
        reversal_is_proven($1, $2, now()) as provable`,
      values: [this.#developerId, this.#order.id],
    });
    return rows[0]!;
  }
}

/** The event of a timeline that an event of a family writes. */
const OWN: Readonly<Record<Cell['family'], string>> = {
  response: 'response',
  check: 'status_check',
  callback: 'callback',
  statement: 'status_conflict',
  staff: 'resolution',
  end: 'response',
};

const MOVES: Readonly<Record<NonNullable<Outcome['posting']>, number>> = {
  settle: 0,
  refund: AMOUNT,
  reversal: AMOUNT,
  refund_reversal: -AMOUNT,
};

/** Time until a check is due, in ms from and to, and whether it comes before the routine checks. */
const DUE = {
  // or the check was due before
  soon: [Number.NEGATIVE_INFINITY, 6_000, true],
  next: [3_000, 67_000, true],
  again: [3_000, 67_000, false],
  hour: [0.85 * 3_600_000, 1.15 * 3_600_000, true],
  recheck: [0.7 * RECHECK_MS, 1.15 * RECHECK_MS, false],
} as const;

/** All differences between the stored data after an event and the outcome. */
function* differencesOf(before: Snapshot, after: Snapshot, outcome: Outcome, cell: Cell): Generator<string> {
  if (outcome.archived) {
    if (after.row || after.due || after.review || after.postings.length + after.timeline.length > 0)
      yield 'something of the order is still here';
    const status = before.row!.reversed_at === null ? before.row!.state : 'reversed';
    if (after.archived !== (cell.group === 'lookup' ? null : status)) yield `archived as ${after.archived}`;
    return;
  }
  for (const name of Object.keys({ ...before.row, ...after.row })) {
    const [oldValue, newValue] = [before.row?.[name] ?? null, after.row?.[name] ?? null];
    const value = outcome.columns?.[name];
    if (!fits(value, oldValue, newValue, before, after, cell))
      yield `${name}: ${oldValue} → ${newValue}, not ${value ?? 'unchanged'}`;
  }
  const due = outcome.due === 'recheck' && cell.group !== 'checkable' ? 'none' : outcome.due;
  if (!isDue(due, before, after)) yield `due ${JSON.stringify(after.due)} at ${after.now}, not ${due ?? 'unchanged'}`;
  const review = outcome.review === undefined ? before.review : outcome.review === 'none' ? null : outcome.review;
  if (after.review !== review) yield `review ${after.review}, not ${review}`;
  yield* listsDiffer('postings', before.postings, after.postings, outcome.posting ? [outcome.posting] : []);
  const timeline = (outcome.timeline ?? []).map((kind) => (kind === 'own' ? OWN[cell.family] : kind));
  yield* listsDiffer('timeline', before.timeline, after.timeline, timeline);
  const moved = Number(after.balance) - Number(before.balance);
  if (moved !== (outcome.posting ? MOVES[outcome.posting] : 0)) yield `the wallet changed by ${moved}`;
  if (after.approvalRequests - before.approvalRequests !== (outcome.result === 'requested' ? 1 : 0))
    yield `${after.approvalRequests - before.approvalRequests} approval requests`;
}

function fits(
  value: Value | undefined,
  oldValue: string | number | null,
  is: string | number | null,
  before: Snapshot,
  after: Snapshot,
  { event }: Cell,
): boolean {
  const isNow = (): boolean => {
    const at = Date.parse(String(is));
    return at >= Date.parse(before.now) && at <= Date.parse(after.now);
  };
  switch (value) {
    case undefined:
      return is === oldValue;
    case 'now':
      return isNow();
    case 'first':
      return oldValue === null ? isNow() : is === oldValue;
    case 'later':
      return Date.parse(String(is)) > Date.parse(before.now);
    case 'null':
      return is === null;
    case 'set':
      return is !== null && is !== oldValue;
    case 'named':
      return is === (providerOutcomes[event]?.evidence.providerTxnId ?? oldValue);
    case '+1':
      return Number(is) === Number(oldValue) + 1;
    case '0':
      return is === 0;
    default:
      return is === value.slice(1, -1);
  }
}

function isDue(due: Outcome['due'], before: Snapshot, after: Snapshot): boolean {
  if (due === undefined) return JSON.stringify(after.due) === JSON.stringify(before.due);
  if (due === 'none') return after.due === null;
  if (!after.due) return false;
  const [from, to, waitedFor] = DUE[due];
  const ms = Date.parse(after.due.due_at) - Date.parse(after.now);
  return ms >= from && ms <= to && after.due.waited_for === waitedFor;
}

function* listsDiffer(
  what: string,
  before: readonly string[],
  after: readonly string[],
  expected: readonly string[],
): Generator<string> {
  const added = after.slice(before.length);
  if (added.toSorted().join() !== expected.toSorted().join()) yield `${what} [${added}], not [${expected}]`;
}

/** The cells as tests. */
export function playCells(cells: readonly Cell[]): void {
  const isArchived = ({ event, state }: Cell): boolean => event === 'archive' || state.row === 'archived';
  describe.concurrent('on PostgreSQL', () => playOnSharedStage(cells.filter((cell) => !isArchived(cell))));
  // one at a time: the check of the books before an archive must not see postings whose time is moved later
  describe('on PostgreSQL, with the archive', () => playOnSharedStage(cells.filter(isArchived)));
}

function playOnSharedStage(cells: readonly Cell[]): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());
  for (const cell of cells) {
    if (cell.outcome) {
      it(`${cell.name} → ${cell.outcome}`, async () => {
        const started = await Play.start(stage, cell);
        expect(await started.differences()).toEqual([]);
      });
    } else if (cell.reason === 'idle') {
      it(`${cell.name}: no check is due`, async () => {
        expect(await (await Play.start(stage, cell)).checksWhenIdle()).toBe(0);
      });
    }
  }
}
