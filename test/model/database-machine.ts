import { AppError } from '../../src/core/errors.js';
import { newId, referenceOf } from '../../src/core/ids.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId, DeveloperPrincipal, UserId } from '../../src/core/principal.js';
import type { EntityManager } from '../../src/db/orm.js';
import type { Placed } from '../../src/orders/earlier-orders.js';
import type { OrderService } from '../../src/orders/order.service.js';
import type { StoredOrder } from '../../src/orders/stored-order.js';
import type { EnquiryOutcome } from '../../src/providers/outcome.js';
import type { ProviderCallback } from '../../src/providers/ports/callback.port.js';
import { topUpWith } from '../support/audit.js';
import { AMOUNTS, type Call, type Capability, LEAD_FEE, LEADS, LOOKUP_FEE } from './commands.js';
import { type SharedServices, servicesFor } from './database-services.js';
import type { Machine, Seen, Snapshot } from './machine.js';
import type { Said, World } from './world.js';

/** An outcome as an adapter would judge it; the transaction's name is the order's number. */
function outcomeOf(said: Said, order: number, named: boolean): EnquiryOutcome<{ providerTxnId: string }> {
  const transaction = `T${order}`;
  const evidence = { reason: 'provider_success', ...(named ? { providerTxnId: transaction } : {}) } as const;
  return said === 'accepted'
    ? { kind: said, value: { providerTxnId: transaction }, evidence }
    : { kind: said, evidence };
}

let made = 0;

/**
 * The services of src/ on PostgreSQL, for one developer; only the providers are played by the world. Time goes by in the
 * database: every instant of the developer's orders moves into the past.
 */
export class DatabaseMachine implements Machine {
  readonly #shared: SharedServices;
  readonly #world: World;
  readonly #number = ++made;
  readonly #developerId = (200_000 + this.#number) as DeveloperId;
  /** Order ids by the world's numbers. */
  readonly #ids: string[] = [];
  readonly #services: ReturnType<typeof servicesFor>;
  #leadWord = '';
  #orders: OrderService;

  private constructor(shared: SharedServices, world: World) {
    this.#shared = shared;
    this.#world = world;
    this.#services = servicesFor(shared, {
      providerOf: (capability) => this.#providerOf(capability),
      enquire: ({ id, ageMs }) => {
        const order = this.#ids.indexOf(id);
        const said = world.enquire(order, ageMs);
        return outcomeOf(said, order, said === 'accepted' || (said === 'declined' && world.reversed(order)));
      },
      leadStatus: () => this.#leadWord,
    });
    this.#orders = this.#services.newProcess();
  }

  static async open(shared: SharedServices, world: World): Promise<DatabaseMachine> {
    const machine = new DatabaseMachine(shared, world);
    const developerId = machine.#developerId;
    await shared.owner.query(
      `insert into developer (id, name, email) overriding system value values ($1, 'Model', $2)`,
      [developerId, `model-${developerId}@test.example`],
    );
    await shared.owner.query(
      `insert into lead (developer_id, id, environment, lead_code, product_id) select $1, uuidv7(), 'production', 'lead ' || n, '1' from generate_series(0, $2::integer - 1) n`,
      [developerId, LEADS],
    );
    await shared.orm.em.fork().transactional((tx) => shared.ledger.openWallets(developerId, tx as EntityManager));
    return machine;
  }

  /** Providers of its own, so that sequences which run at the same time do not ask about each other's orders. */
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

  async call(call: Call): Promise<Seen[]> {
    const service = (await this.#isAbandoned(call)) ? this.#services.newProcess(1) : this.#orders;
    const seen = await Promise.all(Array.from({ length: call.times }, () => this.#place(call, service)));
    await this.#orders.drain();
    return seen;
  }

  async #place(call: Call, service: OrderService): Promise<Seen> {
    const { operation, capability, key, body, crash } = call;
    let die: (seen: Seen) => void = () => {};
    const death = new Promise<Seen>((resume) => (die = resume));
    // the process is gone: nobody ever hears what the provider says
    const dead = (): Promise<never> => {
      this.#orders = this.#services.newProcess();
      die({ heard: 'died', replayed: false });
      return new Promise(() => {});
    };
    const answer = service
      .place<{ providerTxnId: string }>({
        principal: {
          kind: 'developer',
          developerId: this.#developerId,
          environment: 'production',
        } as DeveloperPrincipal,
        operation,
        amountPaise: paise(operation === 'lookup' ? LOOKUP_FEE : AMOUNTS[body]!),
        clientKey: key === null ? null : `key ${key}`,
        // a bill is paid by one order, whatever its key
        identity: operation === 'card_payment' ? { bill: newId() } : { body },
        ...(operation === 'recharge'
          ? {
              isSameAs: (earlier: StoredOrder) =>
                service.earlier.requestOf<{ body: number }>(earlier).request.body === body,
            }
          : {}),
        account: '9876543210',
        provider: this.#providerOf(capability),
        request: { body },
        send: async (reference) => {
          const order = this.#world.accept(call);
          this.#ids[order] = await this.#idOf(reference);
          if (crash === 'before_send') return dead();
          const said = this.#world.send(order);
          if (crash === 'after_send') return dead();
          return outcomeOf(said, order, said === 'accepted') as never;
        },
      })
      .then((placed: Placed<unknown>): Seen => ({ heard: placed.status, replayed: placed.replayed }), refusalOf);
    return Promise.race([answer, death]);
  }

  async #idOf(reference: string): Promise<string> {
    const { rows } = await this.#shared.pool.query<{ id: string }>(
      'select id from orders where developer_id = $1 and reference = $2',
      [this.#developerId, reference],
    );
    if (!rows[0]) throw new Error(`There is no order ${reference}, and it is being sent.`);
    return rows[0].id;
  }

  /** A repetition would wait the whole synchronous window for a process that is gone. */
  async #isAbandoned({ operation, key }: Call): Promise<boolean> {
    if (key === null) return false;
    const order = await this.#shared.store.byStoredKey(this.#developerId, 'production', operation, `key ${key}`);
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

  async callback(order: number, says: ProviderCallback['says']): Promise<void> {
    const id = this.#ids[order] ?? newId();
    const { rows } = await this.#shared.pool.query<{ provider: string; reference: string }>(
      'select provider, reference from orders where id = $1',
      [id],
    );
    await this.#services.callbacks.take(
      rows[0]?.provider ?? this.#providerOf('direct'),
      new Map([
        ['reference', rows[0]?.reference ?? referenceOf(id)],
        ['says', says],
      ]),
    );
  }

  async advance(ms: number): Promise<void> {
    const instants = ['created_at', 'quiet_until', 'unknown_since', 'doubted_since', 'settled_at'];
    await this.#shared.owner.query(
      `update orders set ${instants.map((name) => `${name} = ${name} - $2 * interval '1 ms'`).join(', ')} where developer_id = $1`,
      [this.#developerId, ms],
    );
    await this.#shared.owner.query(
      `update order_due set due_at = due_at - $2 * interval '1 ms' where developer_id = $1`,
      [this.#developerId, ms],
    );
    await this.#shared.owner.query(
      `update lookup_answer set settled_at = settled_at - $2 * interval '1 ms' where developer_id = $1`,
      [this.#developerId, ms],
    );
  }

  async sweep(): Promise<void> {
    await this.#services.sweeper.sweep();
  }

  async decide(order: number, success: boolean, person: number): ReturnType<Machine['decide']> {
    const decision = {
      orderId: this.#ids[order]!,
      outcome: success ? 'success' : 'failed',
      reason: 'the model',
    } as const;
    const by = { actor: `user:${person + 1}`, requestId: 'model', userId: (person + 1) as UserId };
    try {
      const [before] = (await this.snapshot()).orders.slice(order);
      const { proposal, replayed } = await this.#services.reviews.resolve(decision, by);
      // who confirms a decided order that its provider contradicts decides nothing
      if (!proposal) return before?.state === 'review' ? 'executed' : 'not_in_review';
      if (!replayed) return 'proposed';
      await this.#services.proposals.approve(proposal.id, undefined, by);
      return 'executed';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'FORBIDDEN') return 'same_person';
      if (error.code === 'CONFLICT' || error.code === 'RECORD_NOT_FOUND') return 'not_in_review';
      throw error;
    }
  }

  async snapshot(): Promise<Snapshot> {
    const { rows } = await this.#shared.pool.query<{
      balance: string;
      orders: Record<string, [Snapshot['orders'][number]['state'], boolean]> | null;
    }>({
      name: 'model-snapshot',
      text: `select w.balance_paise::text as balance, (select jsonb_object_agg(o.id, jsonb_build_array(o.state, o.reversed_at is not null)) from orders o where o.developer_id = $1) as orders
        from wallet w where w.developer_id = $1 and w.environment = 'production'`,
      values: [this.#developerId],
    });
    const { balance, orders } = rows[0]!;
    const unknown = Object.keys(orders ?? {}).filter((id) => !this.#ids.includes(id));
    if (unknown.length > 0) throw new Error(`There are orders that were never sent: ${unknown.join(', ')}`);
    return {
      balance: Number(balance),
      orders: this.#ids.map((id) => ({ state: orders![id]![0], reversed: orders![id]![1] })),
    };
  }

  /** What concerns this developer alone; the books as a whole are looked at when no other sequence is under way. */
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

function refusalOf(error: unknown): Seen {
  if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE')
    return { heard: 'insufficient', replayed: false };
  if (error instanceof AppError && error.code === 'IDEMPOTENCY_KEY_REUSED')
    return { heard: 'key_reused', replayed: true };
  throw error;
}
