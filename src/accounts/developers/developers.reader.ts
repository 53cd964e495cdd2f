import type { Environment } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import { UUID } from '../../core/ids.js';
import { type Paise, paise, ZERO } from '../../core/money.js';
import type { DeveloperId, OnboardingStatus } from '../../core/principal.js';
import { type Service, services } from '../../core/services.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../../graphql-toolkit/connection.js';
import { type WalletView, walletsOf } from '../../ledger/wallet.reader.js';
import type { RechargeProvider } from '../../providers/registry.js';
import type { Credential } from '../keys/credential.types.js';
import type { DeveloperFilter } from './developer.inputs.js';
import type { Developer, ServiceAccess, WhiteLabel } from './developer.types.js';

interface DeveloperRow {
  id: DeveloperId;
  name: string;
  email: string;
  onboarding_status: OnboardingStatus;
  production_unlocked: boolean;
  rate_limit_per_minute: number | null;
  duplicate_guard_s: number;
  token_idle_days: number | null;
  token_max_days: number | null;
  rejection_reason: string | null;
  approved_at: string | null;
  approved_by: string | null;
  created_at: string;
  suspended_at: string | null;
  suspension_reason: string | null;
  own_provider: RechargeProvider;
  label_id: string | null;
  label_name: string | null;
  label_provider: RechargeProvider | null;
}

const DEVELOPER = `select d.id, d.name, d.email, d.onboarding_status, d.production_unlocked, d.rate_limit_per_minute,
    d.duplicate_guard_s, d.token_idle_days, d.token_max_days, d.rejection_reason, d.approved_at, d.approved_by,
    d.created_at, d.suspended_at, d.suspension_reason,
    d.recharge_provider as own_provider, w.id as label_id, w.name as label_name, w.recharge_provider as label_provider
  from developer d left join white_label w on w.id = d.white_label_id`;

/** $1 status, $2 a like-pattern, $3 the search text itself, $4 suspended, $5 live, $6 the UUID of a white label; each may be null. */
const MATCHES = `($1::text is null or d.onboarding_status = $1)
  and ($2::text is null or d.name ilike $2 or d.email ilike $2 or d.id::text = $3 or d.account_number::text = $3)
  and ($4::boolean is null or (d.suspended_at is not null) = $4) and ($5::boolean is null or d.production_unlocked = $5)
  and ($6::uuid is null or d.white_label_id = $6)`;

/** Where a developer stands in a list, and what a cursor of it holds. */
const ORDERS = {
  created_desc: { list: 'developers', key: 'd.id', type: 'uuid', descending: true, pattern: UUID },
  name_asc: {
    list: 'developers-by-name',
    key: `d.name || chr(1) || d.id`,
    type: 'text',
    descending: false,
    pattern: /^[^\0]{1,200}$/su,
  },
} as const;

const valuesOf = ({ search, status, suspended, productionUnlocked, whiteLabelId }: DeveloperFilter): unknown[] => [
  status ?? null,
  search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null,
  search?.replace(/^dev_/, '') ?? null,
  suspended ?? null,
  productionUnlocked ?? null,
  whiteLabelId ?? null,
];

/**
 * Developers as the console shows them. Children are read by loaders that share statements; they keep nothing,
 * so that the next read sees a change.
 */
export class DevelopersReader {
  readonly #byId: Loader<DeveloperId, Developer | undefined>;
  readonly #services: Loader<DeveloperId, ServiceAccess[]>;
  readonly #wallets: Loader<DeveloperId, WalletView[]>;
  readonly #credentials: Loader<DeveloperId, Credential[]>;

  /** @param reads for the list, which may be some seconds old */
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
  }

  /** Errors: VALIDATION_FAILED. */
  async page(filter: DeveloperFilter, sort: keyof typeof ORDERS, request: PageRequest): Promise<Page<Developer>> {
    const { list, key, type, descending, pattern } = ORDERS[sort];
    const slice = sliceOf(list, request, pattern);
    const [after, before] = descending ? ['<', '>'] : ['>', '<'];
    const { rows } = await this.reads.query<DeveloperRow & { position: string }>({
      text: `${DEVELOPER.replace('select', `select ${key} as position,`)} where ${MATCHES}
        and ($7::${type} is null or ${key} ${after} $7::${type}) and ($8::${type} is null or ${key} ${before} $8::${type})
        order by ${key} ${descending === slice.backwards ? 'asc' : 'desc'} limit $9`,
      values: [...valuesOf(filter), slice.after ?? null, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, ({ position }) => position, developerOfRow);
  }

  /** How many match on all pages. */
  async count(filter: DeveloperFilter): Promise<number> {
    const { rows } = await this.reads.query<{ n: number }>({
      text: `select count(*)::integer as n from developer d where ${MATCHES}`,
      values: valuesOf(filter),
    });
    return rows[0]!.n;
  }

  /** Errors: RECORD_NOT_FOUND. */
  async byId(id: DeveloperId): Promise<Developer> {
    const developer = await this.find(id);
    if (!developer) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
    return developer;
  }

  /** Undefined when there is none. */
  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.#byId.load(id);
  }

  async whiteLabels(): Promise<WhiteLabel[]> {
    const { rows } = await this.db.query<WhiteLabel>({
      text: 'select id, name, recharge_provider as "rechargeProvider" from white_label order by name',
    });
    return rows;
  }

  /** All of them, in the order of interface.md 5.4; a service that nobody has set is off. */
  services(id: DeveloperId): Promise<ServiceAccess[]> {
    return this.#services.load(id);
  }

  wallets(id: DeveloperId): Promise<WalletView[]> {
    return this.#wallets.load(id);
  }

  /** Whose key it is; undefined when there is no such key. */
  async ownerOfKey(clientId: string): Promise<DeveloperId | undefined> {
    const { rows } = await this.db.query<{ developer_id: DeveloperId }>({
      name: 'owner-of-key',
      text: 'select developer_id from credential where client_id = $1',
      values: [clientId],
    });
    return rows[0]?.developer_id;
  }

  /** Revoked ones too, newest first. */
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
    }>({
      name: 'services-of',
      text: 'select developer_id, service, enabled, fee_paise::text as fee from service_access where developer_id = any($1)',
      values: [ids],
    });
    const set = new Map<string, { enabled: boolean; fee: Paise }>(
      rows.map(({ developer_id, service, enabled, fee }) => [
        `${developer_id}/${service}`,
        { enabled, fee: paise(fee) },
      ]),
    );
    return ids.map((id) =>
      services.map((service) => ({ service, ...(set.get(`${id}/${service}`) ?? { enabled: false, fee: ZERO }) })),
    );
  }

  async #credentialsOf(ids: readonly DeveloperId[]): Promise<Credential[][]> {
    const { rows } = await this.db.query<CredentialRow>({
      name: 'credentials-of',
      text: `select developer_id, client_id, environment, label, secret_last4, created_at, last_used_at,
        suspended_at, suspension_reason, expires_at, revoked_at from credential
        where developer_id = any($1) order by credential.created_at desc, credential.client_id`,
      values: [ids],
    });
    const byDeveloper = Map.groupBy(rows, ({ developer_id }) => developer_id);
    return ids.map((id) => (byDeveloper.get(id) ?? []).map(credentialOfRow));
  }
}

interface CredentialRow {
  developer_id: DeveloperId;
  client_id: string;
  environment: Environment;
  label: string | null;
  secret_last4: string;
  created_at: string;
  last_used_at: string | null;
  suspended_at: string | null;
  suspension_reason: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

function developerOfRow(row: DeveloperRow): Developer {
  const { label_id, label_name, label_provider } = row;
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: new Date(row.created_at),
    onboardingStatus: row.onboarding_status,
    rejectionReason: row.rejection_reason,
    approvedAt: dateOf(row.approved_at),
    approver: row.approved_by,
    productionUnlocked: row.production_unlocked,
    suspendedAt: dateOf(row.suspended_at),
    suspensionReason: row.suspension_reason,
    rechargeProvider: label_provider ?? row.own_provider,
    whiteLabel: label_id === null ? null : { id: label_id, name: label_name!, rechargeProvider: label_provider! },
    rateLimitPerMinute: row.rate_limit_per_minute,
    duplicateGuardSeconds: row.duplicate_guard_s,
    tokenIdleDays: row.token_idle_days,
    tokenMaxDays: row.token_max_days,
  };
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const credentialOfRow = (row: CredentialRow): Credential => ({
  clientId: row.client_id,
  environment: row.environment,
  label: row.label,
  secretLast4: row.secret_last4,
  createdAt: new Date(row.created_at),
  lastUsedAt: dateOf(row.last_used_at),
  suspendedAt: dateOf(row.suspended_at),
  suspensionReason: row.suspension_reason,
  expiresAt: dateOf(row.expires_at),
  revokedAt: dateOf(row.revoked_at),
});
