import type { Environment } from '../core/environment.js';
import { errorCatalogue } from '../core/error-catalogue.js';
import type { CallOwner, ErrorCode, Rejection } from '../core/errors.js';
import type { Logger } from '../core/log.js';
import type { DeveloperId } from '../core/principal.js';
import { outOfScope } from '../core/scope.js';
import type { Service } from '../core/services.js';
import { WindowCounts } from '../core/window-counts.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';

/** Call that was rejected because of its caller. It contains names, codes and IDs only, never a value of the request. */
export interface RejectedCall {
  /** Service of the call. Undefined for calls that require no service, such as a recharge. */
  service: Service | undefined;
  at: Date;
  code: ErrorCode;
  requestId: string;
  /** Method and path of a REST call, or the GraphQL field. */
  operation: string;
}

export interface StoredRejectedCall extends RejectedCall {
  environment: Environment;
}

/** Minimum time between two writes of one process for the same account, environment and service. */
const WINDOW_MS = 60_000;
/** Maximum number of queued calls. Further calls are not recorded. */
const MOST_WAITING = 1_000;

const SAVE = `
  insert into rejected_call as r (developer_id, environment, service, at, code, request_id, operation)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (developer_id, environment, service) do update
    set at = excluded.at, code = excluded.code, request_id = excluded.request_id, operation = excluded.operation
    where r.at < excluded.at`;

/**
 * Last rejected call of each account, environment and service, so that support can look up the cause. Rows are written
 * sequentially after the responses, so that no request is delayed or fails because of them.
 */
export class RejectedCalls {
  readonly #written = new WindowCounts();
  /** Separate counts, because anyone can send credentials of another host. */
  readonly #lookedUp = new WindowCounts();
  readonly #waiting: { call: RejectedCall; owner: NonNullable<Rejection['owner']> }[] = [];
  readonly #byAccount: Loader<DeveloperId, StoredRejectedCall[]>;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly db: Queryable,
    private readonly log: Logger,
  ) {
    this.#byAccount = batchedLoader((ids) => this.#ofAccounts(ids));
  }

  note(call: RejectedCall, owner: NonNullable<Rejection['owner']>): void {
    if (this.#waiting.length >= MOST_WAITING) return;
    const isNew =
      'find' in owner
        ? isFirst(this.#lookedUp, `${owner.key}/${call.service ?? ''}`)
        : isFirst(this.#written, keyOf(call, owner));
    if (!isNew) return;
    this.#waiting.push({ call, owner });
    this.#writing ??= outOfScope(() => this.#write());
  }

  /** Resolves when all rows are written. Call it before closing the database. */
  async drain(): Promise<void> {
    await this.#writing;
  }

  /** Returns the last rejected calls of an account, at most one per environment and service. */
  ofAccount(id: DeveloperId): Promise<StoredRejectedCall[]> {
    return this.#byAccount.load(id);
  }

  async #write(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      try {
        await this.#save(next.call, next.owner);
      } catch (err) {
        const { requestId, code } = next.call;
        this.log.warn({ err, requestId, code }, 'rejected call: writing it failed, it is not recorded');
      }
    this.#writing = undefined;
  }

  async #save(call: RejectedCall, owner: NonNullable<Rejection['owner']>): Promise<void> {
    const found = 'find' in owner ? await owner.find() : owner;
    if (!found || ('find' in owner && !isFirst(this.#written, keyOf(call, found)))) return;
    const { service = '', at, code, requestId, operation } = call;
    await this.db.query({
      name: 'save-rejected-call',
      text: SAVE,
      values: [found.developerId, found.environment, service, at, code, requestId, operation],
    });
  }

  async #ofAccounts(ids: readonly DeveloperId[]): Promise<StoredRejectedCall[][]> {
    const { rows } = await this.db.query<
      { developer_id: DeveloperId; service: Service | ''; at: string; request_id: string } & Pick<
        StoredRejectedCall,
        'environment' | 'code' | 'operation'
      >
    >({
      name: 'rejected-calls-of',
      text: `select developer_id, environment, service, at, code, request_id, operation from rejected_call
        where developer_id = any($1) order by at desc`,
      values: [ids],
    });
    const byAccount = Map.groupBy(
      // codes of an earlier version may no longer exist
      rows.filter(({ code }) => Object.hasOwn(errorCatalogue, code)),
      ({ developer_id }) => developer_id,
    );
    return ids.map((id) =>
      (byAccount.get(id) ?? []).map(({ environment, service, at, code, request_id, operation }) => ({
        environment,
        service: service || undefined,
        at: new Date(at),
        code,
        requestId: request_id,
        operation,
      })),
    );
  }
}

const isFirst = (counts: WindowCounts, key: string): boolean => counts.add(key, WINDOW_MS).count === 1;

const keyOf = ({ service }: RejectedCall, { developerId, environment }: CallOwner): string =>
  `${developerId}/${environment}/${service ?? ''}`;
