import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import type { Developer } from './developers/developer.types.js';
import type { DevelopersReader } from './developers/developers.reader.js';
import type { PeopleReader } from './people/people.reader.js';
import type { User } from './people/people.types.js';

/** Search result with the stored text that matched. */
export interface Found<Thing> {
  thing: Thing;
  matched: string;
}

/** Words of a name and its address. The indexes developer_words and app_user_words use the same expression. */
const WORDS = `array_to_tsvector(array_remove(string_to_array(lower(name || ' ' || email), ' '), ''))`;

/**
 * Parameters: $1 word prefixes, $2 account number, $3 UUID, $4 client ID, $5 limit. A parameter is null if the text cannot be
 * such a value.
 */
const DEVELOPERS = `select distinct on (id) id, matched from (
    (select id, null as matched from developer where ${WORDS} @@ $1::tsquery order by id desc limit $5)
    union all select id, '#' || account_number from developer where account_number = $2::integer
    union all select id, id::text from developer where id = $3::uuid
    union all select developer_id, request_id::text from rejected_call where request_id = $3::uuid
    union all select developer_id, client_id from credential where client_id = $4) found
  order by id desc, matched limit $5`;
const USERS = `select id from app_user where ${WORDS} @@ $1::tsquery and removed_at is null order by id desc limit $2`;

const MAX_ACCOUNT_NUMBER = 2_147_483_647;

/** Returns the word prefixes of a search, all of which must match: `kir sto` finds `Kirana Stores`. */
const queryOf = (text: string): string =>
  wordsOf(text)
    .map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`)
    .join(' & ');
const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Search for accounts and users. It uses only indexes, so it is fast for any number of accounts. */
export class AccountSearch {
  constructor(
    private readonly db: Queryable,
    private readonly reader: Pick<DevelopersReader, 'find'>,
    private readonly people: Pick<PeopleReader, 'find'>,
  ) {}

  /**
   * Finds developers by words of the name or email address, account number, ID, client ID of an API key, or request ID of a
   * last rejected call. Returns the newest first.
   */
  async developers(text: string, atMost: number): Promise<Found<Developer>[]> {
    const number = Number(/^#?(\d{1,10})$/.exec(text)?.[1] ?? Number.NaN);
    const id = text.replace(/^dev_/, '').toLowerCase();
    const { rows } = await this.db.query<{ id: DeveloperId; matched: string | null }>({
      name: 'search-developers',
      text: DEVELOPERS,
      values: [queryOf(text), number <= MAX_ACCOUNT_NUMBER ? number : null, isUuid(id) ? id : null, text, atMost],
    });
    const found = await Promise.all(rows.map((row) => this.reader.find(row.id)));
    return found.flatMap((thing, n) => (thing ? [{ thing, matched: rows[n]!.matched ?? partOf(thing, text) }] : []));
  }

  /** Finds users by words of the name or email address. Returns the newest first. */
  async users(text: string, atMost: number): Promise<Found<User>[]> {
    const { rows } = await this.db.query<{ id: string }>({
      name: 'search-users',
      text: USERS,
      values: [queryOf(text), atMost],
    });
    const found = await Promise.all(rows.map(({ id }) => this.people.find(id)));
    return found.flatMap((thing) => (thing ? [{ thing, matched: partOf(thing, text) }] : []));
  }
}

/** Returns the name or the address, whichever matches the first word. */
const partOf = ({ name, email }: { name: string; email: string }, text: string): string =>
  wordsOf(name).some((word) => word.startsWith(wordsOf(text)[0]!)) ? name : email;
