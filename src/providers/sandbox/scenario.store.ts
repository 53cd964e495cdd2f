import { AppError } from '../../core/errors.js';
import { keyedHash, type Secret } from '../../core/secret.js';
import type { Queryable } from '../../db/pool.js';
import type { Caller } from '../calls.js';
import { type ChosenScenario, lookupScenarios, paymentScenarios, type Scenarios } from './scenarios.js';

/** Hours after which an unused scenario expires. */
export const SCENARIO_VALID_HOURS = 24;
/** Maximum number of unused scenarios per developer. */
export const MAX_WAITING = 100;

/** Call that a scenario applies to, which is the next one with this idempotency key or for this number. */
export type Target = { clientRequestId: string } | { account: string };

const TAKE_OUTAGE = `
  delete from sandbox_scenario using (
    select s.id, s.outcome from sandbox_scenario s
    where s.developer_id = $1 and s.environment = $2 and s.target_hash = any($3) and s.outcome = any($4)
      and s.reference is null and s.expires_at > now()
    order by s.by_key desc limit 1) s
  where sandbox_scenario.id = s.id and s.outcome = 'provider_down' and sandbox_scenario.reference is null`;

const TAKE = 'select scenario, reason from sandbox_take($1, $2, $3, $4, $5)';

/**
 * Statement that sets a scenario. It inserts nothing if the limit is reached. A new scenario replaces the unused one for the
 * same target.
 */
const SET = `
  insert into sandbox_scenario (developer_id, environment, target_hash, by_key, outcome, reason, expires_at)
  select $1::uuid, $2::text, $3::bytea, $4::boolean, $5::text, $6::text, now() + interval '${SCENARIO_VALID_HOURS} hours'
  where (select count(*) from sandbox_scenario s
         where s.developer_id = $1 and s.environment = $2 and s.reference is null and s.expires_at > now() and s.target_hash <> $3) < ${MAX_WAITING}
  on conflict (developer_id, environment, target_hash) where reference is null
    do update set outcome = excluded.outcome, reason = excluded.reason, expires_at = excluded.expires_at
  returning expires_at`;

/** Scenarios in the database, so that any process can use them. Idempotency keys and numbers are stored only as keyed hashes. */
export class ScenarioStore implements Scenarios {
  constructor(
    private readonly db: Queryable,
    private readonly pepper: Secret,
  ) {}

  /**
   * Sets the outcome of the next call for a target. Returns the expiry time. Throws CONFLICT if there are too many unused
   * scenarios.
   */
  async set(
    { developerId, environment }: Pick<Caller, 'developerId' | 'environment'>,
    target: Target,
    { scenario, reason }: ChosenScenario,
  ): Promise<Date> {
    const { rows } = await this.db.query<{ expires_at: string }>({
      name: 'scenario-set',
      text: SET,
      values: [developerId, environment, this.#hashOf(target), 'clientRequestId' in target, scenario, reason],
    });
    if (!rows[0])
      throw new AppError('CONFLICT', {
        message: `Limit of ${MAX_WAITING} unused scenarios reached. A scenario is removed when used, or after ${SCENARIO_VALID_HOURS} hours.`,
      });
    return new Date(rows[0].expires_at);
  }

  async takeOutage(caller: Caller, account: string): Promise<boolean> {
    const values = this.#callOf(caller, account, [...paymentScenarios, 'provider_down']);
    const { rowCount } = await this.db.query({ name: 'scenario-away', text: TAKE_OUTAGE, values });
    return rowCount === 1;
  }

  async takeForOrder(caller: Caller, account: string, reference: string): Promise<ChosenScenario | undefined> {
    return this.#take(caller, account, paymentScenarios, reference);
  }

  async takeForLookup(caller: Caller, account: string): Promise<ChosenScenario | undefined> {
    return this.#take(caller, account, lookupScenarios, null);
  }

  async ofOrder(reference: string): Promise<ChosenScenario | undefined> {
    const { rows } = await this.db.query<ChosenScenario>({
      name: 'scenario-of-order',
      text: 'select outcome as scenario, reason from sandbox_scenario where reference = $1',
      values: [reference],
    });
    return rows[0];
  }

  async #take(caller: Caller, account: string, outcomes: readonly string[], reference: string | null) {
    const values = [...this.#callOf(caller, account, outcomes), reference];
    return (await this.db.query<ChosenScenario>({ name: 'scenario-take', text: TAKE, values })).rows[0];
  }

  #callOf({ developerId, environment, clientRequestId }: Caller, account: string, outcomes: readonly string[]) {
    const targets = [
      this.#hashOf({ account }),
      ...(clientRequestId === null ? [] : [this.#hashOf({ clientRequestId })]),
    ];
    return [developerId, environment, targets, outcomes];
  }

  #hashOf(target: Target): Buffer {
    return 'clientRequestId' in target
      ? keyedHash(this.pepper, 'sandbox-scenario key', target.clientRequestId)
      : keyedHash(this.pepper, 'sandbox-scenario number', target.account);
  }
}
