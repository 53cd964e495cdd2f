import { instantOrNull } from '../../core/clock.js';
import { AppError } from '../../core/errors.js';
import { paise, ZERO } from '../../core/money.js';
import type { DeveloperId } from '../../core/principal.js';
import { type Service, services } from '../../core/services.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable, RowOf } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../../graphql-toolkit/connection.js';
import { type WalletView, walletsOf } from '../../ledger/wallet.reader.js';
import type { RechargeProvider } from '../../providers/registry.js';
import type { Credential } from '../keys/credential.types.js';
import type { DeveloperFilter, DeveloperSort } from './developer.inputs.js';
import type { Developer, ServiceAccess, WhiteLabel } from './developer.types.js';
import { BETWEEN, conditionsOf, cursorOf, ORDERS } from './developer-list.js';

interface DeveloperRow extends Omit<RowOf<Developer>, 'rechargeProvider' | 'whiteLabel'> {
  ownProvider: RechargeProvider;
  labelId: string | null;
  labelName: string | null;
  labelProvider: RechargeProvider | null;
}

const DEVELOPER = `select d.id, d.account_number as "accountNumber", d.name, d.email, d.created_at as "createdAt", d.onboarding_status as "onboardingStatus",
    d.email_verified_at as "emailVerifiedAt", d.kyc_submitted_at as "kycSubmittedAt", d.production_requested_at as "requestedAt",
    d.production_request as "requestMessage", d.production_unlocked_at as "productionUnlockedAt", d.rejection_reason as "rejectionReason", d.approved_at as "approvedAt", d.approved_by as approver, d.production_unlocked as "productionUnlocked",
    d.suspended_at as "suspendedAt", d.suspension_reason as "suspensionReason", d.closed_at as "closedAt", d.rate_limit_per_minute as "rateLimitPerMinute",
    d.duplicate_guard_s as "duplicateGuardSeconds", d.session_idle_minutes as "sessionIdleMinutes", d.token_idle_days as "tokenIdleDays", d.token_max_days as "tokenMaxDays",
    d.recharge_provider as "ownProvider", w.id as "labelId", w.name as "labelName", w.recharge_provider as "labelProvider"
  from developer d left join white_label w on w.id = d.white_label_id`;

/**
 * Reads developers for the console. Loaders read the child objects: they share statements but cache nothing, so that the next
 * read sees a change.
 */
export class DevelopersReader {
  readonly #byId: Loader<DeveloperId, Developer | undefined>;
  readonly #services: Loader<DeveloperId, ServiceAccess[]>;
  readonly #wallets: Loader<DeveloperId, WalletView[]>;
  readonly #credentials: Loader<DeveloperId, Credential[]>;
  readonly #whiteLabel: Loader<string, WhiteLabel | undefined>;

  /** @param reads connection pool for the list, which may be a few seconds old */
  constructor(
    private readonly db: Queryable,
    private readonly reads = db,
  ) {
    this.#byId = batchedLoader((ids) => this.#allById(ids));
    this.#services = batchedLoader((ids) => this.#servicesOf(ids));
    this.#credentials = batchedLoader((ids) => this.#credentialsOf(ids));
    this.#wallets = batchedLoader(async (ids) => {
      const byDeveloper = Map.groupBy(await walletsOf(db, ids), ({ developerId }) => developerId);
      return ids.map((id) => byDeveloper.get(id) ?? []);
    });
    this.#whiteLabel = batchedLoader(async (ids) => {
      const found = new Map((await this.whiteLabels()).map((label) => [label.id, label]));
      return ids.map((id) => found.get(id));
    });
  }

  /** Returns a page of developers. Throws VALIDATION_FAILED. */
  async page(filter: DeveloperFilter, sort: DeveloperSort, request: PageRequest): Promise<Page<Developer>> {
    const order = ORDERS[sort];
    const { value, type, descending, beside = '' } = order;
    const slice = sliceOf(order.list, request, cursorOf(order));
    const { conditions, values } = conditionsOf(filter);
    const [after, before] = descending ? ['<', '>'] : ['>', '<'];
    for (const [cursor, sign] of [
      [slice.after, after],
      [slice.before, before],
    ]) {
      if (cursor === undefined) continue;
      const [place, id] = cursor.split(BETWEEN);
      conditions.push(`(${value}, d.id) ${sign} ($${values.push(place)}::${type}, $${values.push(id)}::uuid)`);
    }
    const direction = descending === slice.backwards ? 'asc' : 'desc';
    // sorts all accounts by the sort value, and reads only those of the page completely
    const { rows } = await this.reads.query<DeveloperRow & { position: string }>({
      text: `${DEVELOPER.replace('select', 'select k.value::text || chr(1) || d.id as position,')}
        join (select d.id, ${value} as value from developer d left join white_label w on w.id = d.white_label_id ${beside}
          where ${conditions.join(' and ')} order by ${value} ${direction}, d.id ${direction} limit ${slice.size + 1}) k on k.id = d.id
        order by k.value ${direction}, d.id ${direction}`,
      values,
    });
    return pageOf(rows, slice, ({ position }) => position, developerOfRow);
  }

  /** Returns the number of matches on all pages. */
  async count(filter: DeveloperFilter): Promise<number> {
    const { conditions, values } = conditionsOf(filter);
    const { rows } = await this.reads.query<{ n: number }>({
      text: `select count(*)::integer as n from developer d left join white_label w on w.id = d.white_label_id where ${conditions.join(' and ')}`,
      values,
    });
    return rows[0]!.n;
  }

  /** Finds a developer. Throws RECORD_NOT_FOUND. */
  async byId(id: DeveloperId): Promise<Developer> {
    const developer = await this.find(id);
    if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
    return developer;
  }

  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.#byId.load(id);
  }

  async whiteLabels(): Promise<WhiteLabel[]> {
    const { rows } = await this.db.query<RowOf<Required<WhiteLabel>>>({
      text: 'select id, name, recharge_provider as "rechargeProvider", disabled_at as "disabledAt" from white_label order by name',
    });
    return rows.map((row) => ({ ...row, disabledAt: instantOrNull(row.disabledAt) }));
  }

  whiteLabel(id: string): Promise<WhiteLabel | undefined> {
    return this.#whiteLabel.load(id);
  }

  /** Returns all services, in the order of interface.md 5.4. A service without a row is disabled. */
  services(id: DeveloperId): Promise<ServiceAccess[]> {
    return this.#services.load(id);
  }

  wallets(id: DeveloperId): Promise<WalletView[]> {
    return this.#wallets.load(id);
  }

  /** Returns the account of an API key, or undefined for an unknown API key. */
  async ownerOfKey(clientId: string): Promise<DeveloperId | undefined> {
    const { rows } = await this.db.query<{ developer_id: DeveloperId }>({
      name: 'owner-of-key',
      text: 'select developer_id from credential where client_id = $1',
      values: [clientId],
    });
    return rows[0]?.developer_id;
  }

  /** Returns all API keys, newest first, including revoked ones. */
  credentials(id: DeveloperId): Promise<Credential[]> {
    return this.#credentials.load(id);
  }

  async #allById(ids: readonly DeveloperId[]): Promise<(Developer | undefined)[]> {
    const { rows } = await this.db.query<DeveloperRow>({
      name: 'developers-by-id',
      text: `${DEVELOPER} where d.id = any($1)`,
      values: [ids],
    });
    const found = new Map(rows.map((row) => [row.id, developerOfRow(row)]));
    return ids.map((id) => found.get(id));
  }

  async #servicesOf(ids: readonly DeveloperId[]): Promise<ServiceAccess[][]> {
    const { rows } = await this.db.query<{
      developer_id: DeveloperId;
      service: Service;
      enabled: boolean;
      fee: string;
      changed_at: string;
      changed_by: string | null;
    }>({
      name: 'services-of',
      text: `select developer_id, service, enabled, fee_paise::text as fee, changed_at, changed_by
        from service_access where developer_id = any($1)`,
      values: [ids],
    });
    const set = new Map(
      rows.map(({ developer_id, service, enabled, fee, changed_at, changed_by }) => [
        `${developer_id}/${service}`,
        {
          enabled,
          fee: paise(fee),
          changed: changed_by === null ? undefined : { at: new Date(changed_at), by: changed_by },
        },
      ]),
    );
    const none = { enabled: false, fee: ZERO };
    return ids.map((developerId) =>
      services.map((service) => ({ developerId, service, ...(set.get(`${developerId}/${service}`) ?? none) })),
    );
  }

  async #credentialsOf(ids: readonly DeveloperId[]): Promise<Credential[][]> {
    const { rows } = await this.db.query<CredentialRow>({
      name: 'credentials-of',
      text: `select developer_id as "developerId", client_id as "clientId", environment, label, secret_last4 as "secretLast4",
        created_at as "createdAt", last_used_at as "lastUsedAt", suspended_at as "suspendedAt", suspension_reason as "suspensionReason",
        starts_at as "startsAt", expires_at as "expiresAt", revoked_at as "revokedAt" from credential
        where developer_id = any($1) order by credential.created_at desc, credential.client_id`,
      values: [ids],
    });
    const byDeveloper = Map.groupBy(rows, ({ developerId }) => developerId);
    return ids.map((id) => (byDeveloper.get(id) ?? []).map(credentialOfRow));
  }
}

interface CredentialRow extends RowOf<Credential> {
  developerId: DeveloperId;
}

function developerOfRow(row: DeveloperRow): Developer {
  const { ownProvider, labelId, labelName, labelProvider, ...developer } = row;
  return {
    ...developer,
    createdAt: new Date(row.createdAt),
    emailVerifiedAt: instantOrNull(row.emailVerifiedAt),
    kycSubmittedAt: instantOrNull(row.kycSubmittedAt),
    approvedAt: instantOrNull(row.approvedAt),
    requestedAt: instantOrNull(row.requestedAt),
    productionUnlockedAt: instantOrNull(row.productionUnlockedAt),
    suspendedAt: instantOrNull(row.suspendedAt),
    closedAt: instantOrNull(row.closedAt),
    rechargeProvider: labelProvider ?? ownProvider,
    ownRechargeProvider: ownProvider,
    whiteLabel: labelId === null ? null : { id: labelId, name: labelName!, rechargeProvider: labelProvider! },
  };
}

const credentialOfRow = ({ developerId: _, ...row }: CredentialRow): Credential => ({
  ...row,
  createdAt: new Date(row.createdAt),
  lastUsedAt: instantOrNull(row.lastUsedAt),
  suspendedAt: instantOrNull(row.suspendedAt),
  startsAt: instantOrNull(row.startsAt),
  expiresAt: instantOrNull(row.expiresAt),
  revokedAt: instantOrNull(row.revokedAt),
});
