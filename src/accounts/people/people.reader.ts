import { actorIn } from '../../audit/actors.js';
import { instantOrNull } from '../../core/clock.js';
import { canSeeAccount, type RequestContext } from '../../core/context.js';
import type { FieldEncryption } from '../../core/field-encryption.js';
import type { DeveloperId, Role, TeamRole } from '../../core/principal.js';
import { batchedLoader, type Loader } from '../../db/batched-loader.js';
import type { Queryable } from '../../db/pool.js';
import type { InvitationRow, UserRow } from '../account.entities.js';
import type { Actor, User } from './people.types.js';
import { MAX_LISTED } from './user.service.js';

interface PersonRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  team_role: TeamRole | null;
  developer_id: DeveloperId | null;
  created_at: string;
  disabled_at: string | null;
  emergency: boolean;
  invited_until: string | null;
}

/** SQL: users and pending invitations. */
const PEOPLE = `(
  select id, email, name, role, team_role, developer_id, created_at, disabled_at,
    emergency_suspended_by is not null as emergency, removed_at, null::timestamptz as invited_until from app_user
  union all
  select id, email, name, role, team_role, developer_id, created_at, null, false, null, expires_at from invitation where expires_at > now())`;
const COLUMNS =
  'u.id, u.email, u.name, u.role, u.team_role, u.developer_id, u.created_at, u.disabled_at, u.emergency, u.invited_until';
const BY_ID = `select ${COLUMNS} from ${PEOPLE} u where u.id = any($1)`;
const OF_ACCOUNTS = `select ${COLUMNS} from (select distinct unnest($1::uuid[]) as id) a cross join lateral
  (select * from ${PEOPLE} p where p.developer_id = a.id and p.removed_at is null order by p.id limit ${MAX_LISTED}) u order by u.id`;
const STAFF = `select ${COLUMNS} from ${PEOPLE} u where u.developer_id is null and u.removed_at is null order by u.id limit ${MAX_LISTED}`;

/** SQL: last sign-ins, from the audit log, because ended sessions are soon deleted. Uses the index on the subject. */
const SIGN_INS = `select a.id, e.at from unnest($1::uuid[]) a(id) cross join lateral
  (select at from audit_entry where subject = 'user:' || a.id and action = 'user.sign_in' order by audit_entry.id desc limit 1) e`;

/** Returns the encryption context of a mobile number, so that it cannot be decrypted in another row. */
export const mobileContext = (userId: string): string => `app_user:${userId}`;

/** Users for the console. Concurrent reads share a statement; nothing is cached. */
export class PeopleReader {
  readonly #byId: Loader<string, User | undefined>;
  readonly #ofAccount: Loader<DeveloperId, User[]>;
  readonly #lastSignIn: Loader<string, Date | null>;
  readonly #mobile: Loader<string, string | null>;

  constructor(
    private readonly db: Queryable,
    encryption: FieldEncryption,
  ) {
    this.#byId = batchedLoader(async (ids) => {
      const found = new Map((await this.#read(BY_ID, [ids])).map((user) => [user.id, user]));
      return ids.map((id) => found.get(id));
    });
    this.#lastSignIn = batchedLoader(async (ids) => {
      const { rows } = await db.query<{ id: string; at: string }>({ text: SIGN_INS, values: [ids] });
      const found = new Map(rows.map(({ id, at }) => [id, new Date(at)]));
      return ids.map((id) => found.get(id) ?? null);
    });
    this.#mobile = batchedLoader(async (ids) => {
      const text = 'select id, mobile from app_user where id = any($1) and mobile is not null';
      const { rows } = await db.query<{ id: string; mobile: Buffer }>({ text, values: [ids] });
      const found = new Map(rows.map(({ id, mobile }) => [id, encryption.decrypt<string>(mobileContext(id), mobile)]));
      return ids.map((id) => found.get(id) ?? null);
    });
    this.#ofAccount = batchedLoader(async (ids) => {
      const found = Map.groupBy(await this.#read(OF_ACCOUNTS, [ids]), (user) => user.developerId);
      return ids.map((id) => found.get(id) ?? []);
    });
  }

  find(id: string): Promise<User | undefined> {
    return this.#byId.load(id);
  }

  /** Returns the time of the last sign-in, or null if the user never signed in. */
  lastSignIn(id: string): Promise<Date | null> {
    return this.#lastSignIn.load(id);
  }

  /** Returns the mobile number, or null if the user has none. */
  mobile(id: string): Promise<string | null> {
    return this.#mobile.load(id);
  }

  /** Returns the first 200 users of an account by ID. */
  ofAccount(id: DeveloperId): Promise<User[]> {
    return this.#ofAccount.load(id);
  }

  /** Returns the first 200 staff users by ID. */
  staff(): Promise<User[]> {
    return this.#read(STAFF, []);
  }

  /** Returns the actor of an audit entry as the caller may see it. Users of a developer do not see which staff user it was. */
  async actor(text: string, context: RequestContext): Promise<Actor> {
    const { kind, name, userId } = actorIn(text);
    const user = userId === undefined ? undefined : await this.find(userId);
    if (!user) return { kind, name, user: null };
    return canSeeUser(context, user) ? { kind, name: user.name, user } : { kind, name: 'Staff', user: null };
  }

  async #read(text: string, values: unknown[]): Promise<User[]> {
    const { rows } = await this.db.query<PersonRow>({ text, values });
    return rows.map(({ team_role, developer_id, created_at, disabled_at, emergency, invited_until, ...row }) => ({
      ...row,
      teamRole: team_role,
      developerId: developer_id,
      createdAt: new Date(created_at),
      suspendedAt: instantOrNull(disabled_at),
      emergencySuspension: emergency,
      invitedUntil: instantOrNull(invited_until),
    }));
  }
}

/** Whether the caller can see a user. Staff see all users; users of a developer see those of the same account. */
export function canSeeUser(context: RequestContext, { developerId }: User): boolean {
  const { principal } = context;
  if (developerId !== null) return canSeeAccount(context, developerId);
  return principal?.kind === 'session' && principal.role !== 'developer';
}

export const userView = (user: UserRow): User => ({
  ...personView(user),
  suspendedAt: user.disabledAt ?? null,
  emergencySuspension: user.emergencySuspendedBy != null,
  invitedUntil: null,
});

/** Returns an invited person in the form of the future user. */
export const invitedView = (invitation: InvitationRow): User => ({
  ...personView(invitation),
  suspendedAt: null,
  emergencySuspension: false,
  invitedUntil: invitation.expiresAt,
});

const personView = ({ id, name, email, role, teamRole, developerId, createdAt }: UserRow | InvitationRow) => ({
  id,
  name,
  email,
  role,
  teamRole: teamRole ?? null,
  developerId: (developerId ?? null) as DeveloperId | null,
  createdAt,
});
