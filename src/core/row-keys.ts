import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Environment } from './environment.js';
import { type Secret, sameBytes } from './secret.js';

/** Fields of each table that its `mac` covers, in this order. A field that grants access belongs here. */
const COVERED = {
  session: ['sessionHash', 'userId', 'expiresAt', 'confirmedAt'],
  // `expires_at` can be earlier: it changes with use, when an admin shortens the lifetime of tokens, and when the API key is
  // rotated
  access_token: ['tokenHash', 'developerId', 'environment', 'clientId', 'sessionHash', 'latestExpiry'],
  client_token: [
    'tokenHash',
    'parentHash',
    'developerId',
    'environment',
    'scopes',
    'orderId',
    'maxSpendPaise',
    'expiresAt',
  ],
  password_reset: ['tokenHash', 'userId', 'expiresAt'],
  // the new address is encrypted for this token hash, and encrypted again when keys are rotated
  email_change: ['tokenHash', 'userId', 'expiresAt'],
  invitation: ['tokenHash', 'id', 'email', 'name', 'role', 'teamRole', 'developerId', 'invitedBy', 'expiresAt'],
  // the details are encrypted for this token hash
  sign_up: ['tokenHash', 'emailHash', 'expiresAt'],
  // the secret of an authenticator is encrypted for this ID
  second_factor: ['id', 'userId', 'kind', 'confirmedAt', 'credentialId', 'publicKey'],
} as const;

/** Tables whose rows have a MAC. */
export const authenticatedTables = Object.keys(COVERED) as AuthenticatedTable[];
export type AuthenticatedTable = keyof typeof COVERED;
/** Tables whose rows are found by a token. */
export type TokenTable = Exclude<AuthenticatedTable, 'second_factor'>;

type Value = string | Uint8Array | Date | readonly string[] | bigint | null | undefined;
/** The fields of a row that its MAC covers. */
export type CoveredRow<Table extends AuthenticatedTable> = Readonly<Record<(typeof COVERED)[Table][number], Value>>;

/** The API key that a secret belongs to. */
interface SecretOwner {
  clientId: string;
  developerId: string;
  environment: Environment;
  /** When the key starts; null: it started when it was created. */
  startsAt: Date | null;
}

const KEY_BYTES = 32;

/**
 * Keys derived from SECRET_PEPPER, one for each use. Write access to the database is not enough to create or change a row that
 * grants access: the row is found by an HMAC of its token, and its `mac` covers what it grants.
 */
export class RowKeys {
  readonly #keys = new Map<string, KeyObject>();

  /** @param onForged called with the table of a row that was found and whose MAC does not match */
  constructor(
    private readonly pepper: Secret,
    private readonly onForged: (table: AuthenticatedTable) => void = () => {},
  ) {}

  /** The value that a row is found by: 32 bytes. */
  lookup(table: TokenTable, token: string): Buffer {
    return this.#hmac(`lookup ${table}`, token);
  }

  /** The MAC of a row: 32 bytes. */
  mac<Table extends AuthenticatedTable>(table: Table, row: CoveredRow<Table>): Buffer {
    const values = COVERED[table].map((field: (typeof COVERED)[Table][number]) => textOf(row[field]));
    return this.#hmac(`mac ${table}`, JSON.stringify(values));
  }

  /** Whether this service wrote the row, and it has not been changed otherwise since. */
  verify<Table extends AuthenticatedTable>(table: Table, row: CoveredRow<Table> & { mac: Uint8Array }): boolean {
    if (sameBytes(row.mac, this.mac(table, row))) return true;
    this.onForged(table);
    return false;
  }

  /** The secret that argon2 hashes a user's password with. One per user: a hash copied to another user matches no password. */
  passwordSecret(userId: string): Buffer {
    return this.#hmac('password', userId);
  }

  /** The hash of an API key's secret. With another client ID, account, environment or start time it matches no secret. */
  apiSecretHash({ clientId, developerId, environment, startsAt }: SecretOwner, apiSecret: string): Buffer {
    const covered = [clientId, developerId, environment, textOf(startsAt), apiSecret];
    return this.#hmac('api secret', JSON.stringify(covered));
  }

  #hmac(label: string, text: string): Buffer {
    return createHmac('sha256', this.#key(label)).update(text).digest();
  }

  #key(label: string): KeyObject {
    let key = this.#keys.get(label);
    if (!key) {
      const bytes = hkdfSync('sha256', this.pepper.reveal(), '', `recharge-gateway ${label}`, KEY_BYTES);
      key = createSecretKey(Buffer.from(bytes));
      this.#keys.set(label, key);
    }
    return key;
  }
}

/** A value of a row as JSON text can hold it. A missing value and null are the same. */
function textOf(value: Value): string | readonly string[] | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
}
