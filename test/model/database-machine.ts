import { AppError } from '../../src/core/errors.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import type { EntityManager } from '../../src/db/orm.js';
import type { OrderService } from '../../src/orders/order.service.js';
import type { OrderResult } from '../../src/orders/placement.js';
import type { StoredOrder } from '../../src/orders/stored-order.js';
import type { StatusCheckOutcome } from '../../src/providers/outcome.js';
import type { ProviderCallback } from '../../src/providers/ports/callback.port.js';
import { topUpWith } from '../support/audit.js';
import { developerNumber } from '../support/ids.js';
import type { ProcessClock } from '../support/skewed-clock.js';
import { AMOUNTS, type Call, type Capability, type CorrectionKind, LEAD_FEE, LEADS, LOOKUP_FEE } from './commands.js';
import { Admins } from './database-admins.js';
import { type AroundClaim, type SharedServices, servicesFor } from './database-services.js';
import { advanceTime } from './database-time.js';
import {
  type AdminResult,
  type CallReply,
  type CheckResult,
  LEASE_MS,
  type Machine,
  type Snapshot,
} from './machine.js';
import type { ProviderStatus, World } from './world.js';

/** An outcome in the form that an adapter returns; the transaction ID is the number of the order. */
function outcomeOf(
  status: ProviderStatus,
  order: number,
  named: boolean,
): StatusCheckOutcome<{ providerTxnId: string }> {
  const transaction = `T${order}`;
  const evidence = { reason: 'provider_success', ...(named ? { providerTxnId: transaction } : {}) } as const;
  return status === 'accepted'
    ? { kind: status, value: { providerTxnId: transaction }, evidence }
    : { kind: status, evidence };
}

function replyOf({ status, replayed, value }: OrderResult<unknown>): CallReply {
  if (status === 'success' && !value) throw new Error('A success was returned without its receipt.');
  return { result: status, replayed };
}

let created = 0;

/**
 * The services of src/ on PostgreSQL, for one developer. Only the providers are simulated. Time passes in the database: every
 * stored time of the orders of the developer is moved into the past.
 */
export class DatabaseMachine implements Machine {
  readonly #shared: SharedServices;
  readonly #world: World;
  readonly #number = ++created;
  readonly #developerId = developerNumber(200_000 + this.#number);
  /** Order IDs by the numbers of the world. */
  readonly #ids: string[] = [];
  readonly #services: ReturnType<typeof servicesFor>;
  readonly #admins: Admins;
  readonly #clock: ProcessClock;
  readonly #startedAt = performance.now();
  #leadWord = '';
  #orders: OrderService;

  private constructor(shared: SharedServices, world: World, clock: ProcessClock) {
    this.#shared = shared;
    this.#clock = clock;
    this.#world = world;
    this.#services = servicesFor(shared, {
      providerOf: (capability) => this.#providerOf(capability),
      checkStatus: ({ id, ageMs }) => {
        const order = this.#ids.indexOf(id);
        const status = world.checkStatus(order, ageMs);
        return outcomeOf(status, order, status === 'accepted' || (status === 'declined' && world.reversed(order)));
      },
      leadStatus: () => this.#leadWord,
    });
    this.#orders = this.#services.newProcess();
    this.#admins = new Admins(this.#services, this.#developerId);
  }

  /** @param clock of the process of the developer; the machine runs with it, see `ProcessClocks` */
  static async open(shared: SharedServices, world: World, clock: ProcessClock): Promise<DatabaseMachine> {
    const machine = new DatabaseMachine(shared, world, clock);
    const developerId = machine.#developerId;
    await shared.owner.query(`insert into developer (id, name, email) values ($1, 'Model', $2)`, [
      developerId,
      `model-${developerId}@test.example`,
    ]);
    await shared.owner.query(
      `insert into lead (developer_id, id, environment, lead_code, product_id) select $1, uuidv7(), 'production', 'lead ' || n, '1' from generate_series(0, $2::integer - 1) n`,
      [developerId, LEADS],
    );
    await shared.orm.em.fork().transactional((tx) => shared.ledger.openWallets(developerId, tx as EntityManager));
    return machine;
  }

  /** Separate providers, so that concurrent sequences do not check the orders of each other. */
  #providerOf(capability: Capability): string {
    return `${capability}-${this.#number}`;
  }

  async topUp(amount: number, reference: number): Promise<'posted' | 'duplicate'> {
    const { orm, ledger } = this.#shared;
    const credit = {
      developerId: this.#developerId,
      environment: 'production',
      amountPaise: paise(amount),
      reference: `bank ${reference}`,
    } as const;
    const outcome = await orm.em.fork().transactional((tx) => topUpWith(ledger, credit, tx as EntityManager));
    return outcome as 'posted' | 'duplicate';
  }

  async call(call: Call): Promise<CallReply[]> {
    const service = (await this.#isAbandoned(call)) ? this.#services.newProcess(1) : this.#orders;
    const calls = Array.from({ length: call.times }, () => this.#place(call, service));
    const { aheadMs } = this.#clock;
    this.#clock.aheadMs += call.stepMs;
    const replies = await Promise.all(calls);
    await this.#orders.drain();
    this.#clock.aheadMs = aheadMs;
    return replies;
  }

  async #place(call: Call, service: OrderService): Promise<CallReply> {
    const { operation, capability, key, body, bill, crash } = call;
    let resolveDeath: (reply: CallReply) => void = () => {};
    const death = new Promise<CallReply>((resume) => (resolveDeath = resume));
    // the process has stopped, so the response of the provider is lost
    const endProcess = (): Promise<never> => {
      this.#orders = this.#services.newProcess();
      resolveDeath({ result: 'died', replayed: false });
      return new Promise(() => {});
    };
    this.#services.onClaim(this.#aroundClaim(call, endProcess));
    const response = service
      .place<{ providerTxnId: string }>({
        principal: {
          kind: 'developer',
          developerId: this.#developerId,
          environment: 'production',
        } as DeveloperPrincipal,
        operation,
        amountPaise: paise(operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[body]!),
        clientKey: key === null ? null : `key ${key}`,
        // a bill is paid by one order, whatever its idempotency key
        identity: operation === 'card_payment' ? { bill } : { body },
        ...(operation === 'recharge'
          ? {
              isSameAs: (earlier: StoredOrder) =>
                service.earlierOrders.requestOf<{ body: number }>(earlier).request.body === body,
            }
          : {}),
        account: '9876543210',
        provider: this.#providerOf(capability),
        request: { body },
        send: async (reference) => {
          const order = this.#numberOf(await this.#idOf(reference), call);
          if (crash === 'before_send') return endProcess();
          const status = this.#world.send(order);
          if (crash === 'after_send') return endProcess();
          return outcomeOf(status, order, status === 'accepted') as never;
        },
      })
      .then(replyOf, rejectionOf);
    return Promise.race([response, death]);
  }

  /** Actions of the process and the sweeper when the order is claimed; see `Call`. */
  #aroundClaim(call: Call, endProcess: () => Promise<never>): AroundClaim {
    return async (orderId, claim) => {
      this.#numberOf(orderId, call);
      if (call.crash === 'before_claim') return endProcess();
      if (call.sweeper === 'away') return claim();
      // the lease has expired, so a sweeper of another process finds the order
      await this.advance(LEASE_MS);
      const { sweeper } = this.#services;
      switch (call.sweeper) {
        case 'before_claim':
          await sweeper.sweep();
          return claim();
        case 'at_claim':
          return (await Promise.all([claim(), sweeper.sweep()]))[0];
        case 'after_claim': {
          const claimed = await claim();
          await sweeper.sweep();
          return claimed;
        }
      }
    };
  }

  /** Number of an order in the world, assigned when the order is first seen here. */
  #numberOf(id: string, call: Call): number {
    const index = this.#ids.indexOf(id);
    if (index >= 0) return index;
    const order = this.#world.accept(call);
    this.#ids[order] = id;
    return order;
  }

  async #idOf(reference: string): Promise<string> {
    const { rows } = await this.#shared.pool.query<{ id: string }>(
      'select id from orders where developer_id = $1 and reference = $2',
      [this.#developerId, reference],
    );
    if (!rows[0]) throw new Error(`Order ${reference} does not exist, and is being sent.`);
    return rows[0].id;
  }

  /** A duplicate would wait for the whole synchronous window for a process that has stopped. */
  async #isAbandoned({ operation, key }: Call): Promise<boolean> {
    if (key === null) return false;
    const order = await this.#services.store.byStoredKey(this.#developerId, 'production', operation, `key ${key}`);
    return order?.state === 'open' && order.unknownSince === null;
  }

  async lead(lead: number, word: string): Promise<{ charged: number } | 'insufficient'> {
    this.#leadWord = word;
    const services = new Map([['lead_generation', { enabled: true, feePaise: paise(LEAD_FEE) }]]);
    const principal = {
      kind: 'developer',
      developerId: this.#developerId,
      environment: 'production',
      services,
    } as unknown as DeveloperPrincipal;
    try {
      const { feePaise } = await this.#services.leads.status(principal, `lead ${lead}`);
      return { charged: Number(feePaise) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') return 'insufficient';
      throw error;
    }
  }

  async callback(order: number, status: ProviderCallback['status']): Promise<void> {
    const id = this.#ids[order] ?? newId();
    const { rows } = await this.#shared.pool.query<{ provider: string; reference: string }>(
      'select provider, reference from orders where id = $1',
      [id],
    );
    await this.#services.callbacks.receive(
      rows[0]?.provider ?? this.#providerOf('direct'),
      new Map([
        ['reference', rows[0]?.reference ?? referenceOf(id)],
        ['status', status],
      ]),
    );
  }

  advance(ms: number): Promise<void> {
    return advanceTime(this.#shared.owner, this.#developerId, ms);
  }

  async sweep(stepMs: number): Promise<void> {
    const { aheadMs } = this.#clock;
    await this.#services.sweepOnce(() => (this.#clock.aheadMs += stepMs));
    this.#clock.aheadMs = aheadMs;
  }

  clock(aheadMs: number): void {
    this.#clock.aheadMs = aheadMs;
  }

  async resolve(order: number, success: boolean, admin: number): Promise<AdminResult> {
    const { conflicting } = (await this.snapshot()).orders[order]!;
    return this.#admins.resolve(this.#ids[order]!, success, admin, conflicting);
  }

  correct(action: CorrectionKind, order: number, admin: number): Promise<AdminResult> {
    return this.#admins.correct(action, this.#ids[order]!, admin);
  }

  debit(amount: number, reference: number, admin: number): Promise<AdminResult> {
    return this.#admins.debit(amount, reference, admin);
  }

  requestCheck(order: number): Promise<CheckResult> {
    return this.#admins.requestCheck(this.#ids[order]!);
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  async snapshot(): Promise<Snapshot> {
    const { rows } = await this.#shared.pool.query<{
      balance: string;
      orders: Record<string, Snapshot['orders'][number]> | null;
    }>({
      name: 'model-snapshot',
      text: `select w.balance_paise::text as balance, (select jsonb_object_agg(o.id, jsonb_build_object('state', o.state, 'reversed', o.reversed_at is not null, 'conflicting', o.status_conflict_at is not null)) from orders o where o.developer_id = $1) as orders
        from wallet w where w.developer_id = $1 and w.environment = 'production'`,
      values: [this.#developerId],
    });
    const { balance, orders } = rows[0]!;
    const unknownOrders = Object.keys(orders ?? {}).filter((id) => !this.#ids.includes(id));
    if (unknownOrders.length > 0)
      throw new Error(`There are orders that the world does not know: ${unknownOrders.join(', ')}`);
    return {
      balance: Number(balance),
      orders: this.#ids.map((id) => {
        const { state, reversed, conflicting } = orders![id]!;
        return { state, reversed, conflicting };
      }),
    };
  }

  /** Violations for this developer only; the books as a whole are checked when no other sequence is running. */
  async violations(): Promise<string[]> {
    const { rows } = await this.#shared.pool.query<{ violation: string }>({
      name: 'model-violations',
      text: `select format('balance %s, transfers %s, %s of %s versions', w.balance_paise, sum(e.wallet_change), count(e.wallet_version), w.version) as violation
        from wallet w left join ledger_entry e on e.developer_id = w.developer_id and e.environment = w.environment
        where w.developer_id = $1 and w.environment = 'production' group by w.balance_paise, w.version
        having coalesce(sum(e.wallet_change), 0) <> w.balance_paise or count(e.wallet_version) <> w.version`,
      values: [this.#developerId],
    });
    return rows.map(({ violation }) => violation);
  }
}

function rejectionOf(error: unknown): CallReply {
  if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE')
    return { result: 'insufficient', replayed: false };
  if (error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED')
    return { result: 'key_reused', replayed: true };
  // no other key may pay a bill while it has a payment
  if (error instanceof AppError && error.code === 'OVERLOADED') return { result: 'bill_taken', replayed: false };
  throw error;
}
