import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Environment } from './environment.js';
import { type Secret, sameBytes } from './secret.js';

/** Fields of each table that its `mac` covers, in this order. Every field that grants access must be listed. */
const COVERED = {
  session: ['sessionHash', 'userId', 'expiresAt', 'confirmedAt'],
  // `expires_at` is not covered, because it changes with use, when an admin shortens the token lifetime, and when the API key is
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
  // the new address is bound to the token hash by its encryption, and re-encrypted when keys are rotated
  email_change: ['tokenHash', 'userId', 'expiresAt'],
  invitation: ['tokenHash', 'id', 'email', 'name', 'role', 'teamRole', 'developerId', 'invitedBy', 'expiresAt'],
  // the details are bound to the token hash by their encryption
  sign_up: ['tokenHash', 'emailHash', 'expiresAt'],
  // the secret of an authenticator is encrypted for this ID
  second_factor: ['id', 'userId', 'kind', 'confirmedAt', 'credentialId', 'publicKey'],
} as const;

/** Tables whose rows have a MAC. */
export const authenticatedTables = Object.keys(COVERED) as AuthenticatedTable[];
export type AuthenticatedTable = keyof typeof COVERED;
/** Tables whose rows are looked up by a token. */
export type TokenTable = Exclude<AuthenticatedTable, 'second_factor'>;

type Value = string | Uint8Array | Date | readonly string[] | bigint | null | undefined;
/** Fields of a row that its MAC covers. */
export type CoveredRow<Table extends AuthenticatedTable> = Readonly<Record<(typeof COVERED)[Table][number], Value>>;

/** API key that a secret belongs to. */
interface SecretOwner {
  clientId: string;
  developerId: string;
  environment: Environment;
  /** Start of the validity period; null if the key was valid when it was created. */
  startsAt: Date | null;
}

const KEY_BYTES = 32;

/**
 * Keys derived from SECRET_PEPPER, one for each use. Write access to the database is not enough to create or change a row that
 * grants access: a row is looked up by an HMAC of its token, and its `mac` covers the rights that it grants.
 */
export class RowKeys {
  readonly #keys = new Map<string, KeyObject>();

  /**
   * Creates the keys.
   * @param onForged called with the table of a row whose MAC does not match
   */
  constructor(
    private readonly pepper: Secret,
    private readonly onForged: (table: AuthenticatedTable) => void = () => {},
  ) {}

  /** Returns the lookup value of a row, which has 32 bytes. */
  lookup(table: TokenTable, token: string): Buffer {
    return this.#hmac(`lookup ${table}`, token);
  }

  /** Returns the MAC of a row, which has 32 bytes. */
  mac<Table extends AuthenticatedTable>(table: Table, row: CoveredRow<Table>): Buffer {
    const values = COVERED[table].map((field: (typeof COVERED)[Table][number]) => textOf(row[field]));
    return this.#hmac(`mac ${table}`, JSON.stringify(values));
  }

  /** Returns whether this service wrote the row, and it has not been changed otherwise since. */
  verify<Table extends AuthenticatedTable>(table: Table, row: CoveredRow<Table> & { mac: Uint8Array }): boolean {
    if (sameBytes(row.mac, this.mac(table, row))) return true;
    this.onForged(table);
    return false;
  }

  /**
   * Returns the secret for the argon2 hash of a user's password. It differs for each user, so that a hash copied to another user
   * matches no password.
   */
  passwordSecret(userId: string): Buffer {
    return this.#hmac('password', userId);
  }

  /**
   * Returns the hash of an API secret. The hash matches no secret if the client ID, account, environment or start time is
   * changed.
   */
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

/** Converts a value of a row to a JSON value. A missing value and null are equivalent. */
function textOf(value: Value): string | readonly string[] | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
}
