import { actorIn } from '../../audit/actors.js';
import { maySeeAccount, type RequestContext } from '../../core/context.js';
import type { DeveloperId, Role } from '../../core/principal.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import type { UserRow } from '../account.entities.js';
import type { Actor, User } from './people.types.js';
import { MAX_LISTED } from './user.service.js';

interface PersonRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  developer_id: DeveloperId | null;
  created_at: string;
  disabled_at: string | null;
}

const COLUMNS = 'u.id, u.email, u.name, u.role, u.developer_id, u.created_at, u.disabled_at';
const OF_ACCOUNTS = `select ${COLUMNS} from unnest($1::uuid[]) a(id) cross join lateral
  (select * from app_user p where p.developer_id = a.id order by p.id limit ${MAX_LISTED}) u order by u.id`;
const STAFF = `select ${COLUMNS} from app_user u where u.developer_id is null order by u.id limit ${MAX_LISTED}`;

/** The people of the console, as it shows them. What waits shares a statement, and nothing is kept. */
export class PeopleReader {
  readonly #byId: Loader<string, User | undefined>;
  readonly #ofAccount: Loader<DeveloperId, User[]>;

  constructor(private readonly db: Queryable) {
    this.#byId = batchedLoader(async (ids) => {
      const text = `select ${COLUMNS} from app_user u where u.id = any($1)`;
      const found = new Map((await this.#read(text, [ids])).map((user) => [user.id, user]));
      return ids.map((id) => found.get(id));
    });
    this.#ofAccount = batchedLoader(async (ids) => {
      const found = Map.groupBy(await this.#read(OF_ACCOUNTS, [ids]), (user) => user.developerId);
      return ids.map((id) => found.get(id) ?? []);
    });
  }

  /** Undefined when there is none. */
  find(id: string): Promise<User | undefined> {
    return this.#byId.load(id);
  }

  /** The first 200 by their numbers. */
  ofAccount(id: DeveloperId): Promise<User[]> {
    return this.#ofAccount.load(id);
  }

  /** The operator's own people; the first 200 by their numbers. */
  staff(): Promise<User[]> {
    return this.#read(STAFF, []);
  }

  /** Who stands in the trail as `text`, as this caller may see them: who of the staff it was is not for developers' users. */
  async actor(text: string, context: RequestContext): Promise<Actor> {
    const { kind, name, userId } = actorIn(text);
    const user = userId === undefined ? undefined : await this.find(userId);
    if (!user) return { kind, name, user: null };
    return maySeeUser(context, user) ? { kind, name: user.name, user } : { kind, name: 'Staff', user: null };
  }

  async #read(text: string, values: unknown[]): Promise<User[]> {
    const { rows } = await this.db.query<PersonRow>({ text, values });
    return rows.map(({ developer_id, created_at, disabled_at, ...row }) => ({
      ...row,
      developerId: developer_id,
      createdAt: new Date(created_at),
      suspendedAt: disabled_at === null ? null : new Date(disabled_at),
    }));
  }
}

/** Staff see everybody; a developer's user sees those of the same account. */
export function maySeeUser(context: RequestContext, { developerId }: User): boolean {
  const { principal } = context;
  if (developerId !== null) return maySeeAccount(context, developerId);
  return principal?.kind === 'session' && principal.role !== 'developer';
}

export const userView = ({ id, name, email, role, developerId, createdAt, disabledAt }: UserRow): User => ({
  id,
  name,
  email,
  role,
  developerId: (developerId ?? null) as DeveloperId | null,
  createdAt,
  suspendedAt: disabledAt ?? null,
});
