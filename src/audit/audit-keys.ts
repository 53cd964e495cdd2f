import { createHmac, hkdfSync } from 'node:crypto';
import { canonicalJson, type NamedKey } from '../core/secret.js';

const KEY_BYTES = 32;

/** Fields that are included in the hash of an entry, named after the database columns. */
export interface SignedEntry {
  id: string;
  at: string;
  actor: string;
  address: string | null;
  action: string;
  subject: string;
  developer_id: string | null;
  before: object | null;
  after: object | null;
  reason: string;
  request_id: string;
  key_id: string;
  posting_id: string | null;
  amount_paise: string | null;
}

/** Content of an anchor, which describes the last entry of the audit log at that time. */
export interface SignedAnchor {
  id: string;
  /** Hash of the entry in hexadecimal. */
  hash: string;
  at: string;
  keyId: string;
}

/** Content of the last line of an exported file, which describes the previous lines. */
export interface SignedExport {
  /** Start of the period. Null if the export begins at the first entry. */
  from: string | null;
  before: string | null;
  entries: number;
  /** Number of the first entry. Null if there are no entries. */
  first: string | null;
  last: string | null;
  lastHash: string | null;
  /** SHA-256 of all previous lines in hexadecimal. */
  lines: string;
  at: string;
  keyId: string;
}

/**
 * Keys of the audit log. They are never stored in the database, so that write access to its tables is not enough to forge an
 * entry. The first key signs; all keys verify, so that entries and anchors from before a rotation remain valid.
 */
export class AuditKeys {
  readonly currentKeyId: string;
  /** Entries and anchors have separate keys, so that one cannot be presented as the other. */
  readonly #keys: ReadonlyMap<string, { entry: Buffer; anchor: Buffer }>;

  constructor(keys: readonly NamedKey[]) {
    const first = keys[0];
    if (!first) throw new Error('AUDIT_KEYS: at least one key is required.');
    this.currentKeyId = first.id;
    this.#keys = new Map(
      keys.map(({ id, key }) => {
        const bytes = Buffer.from(key.reveal(), 'base64');
        if (bytes.length !== KEY_BYTES) throw new Error(`AUDIT_KEYS: key "${id}" must be 32 bytes in base64.`);
        const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', bytes, '', purpose, KEY_BYTES));
        return [id, { entry: derived('audit entry'), anchor: derived('audit anchor') }];
      }),
    );
  }

  /**
   * Returns the HMAC-SHA256 of all columns as canonical JSON, chained to the previous hash. Undefined if the key is not
   * configured.
   */
  entryHash(previous: Buffer, entry: SignedEntry): Buffer | undefined {
    const key = this.#keys.get(entry.key_id)?.entry;
    return key && createHmac('sha256', key).update(previous).update(canonicalJson(entry)).digest();
  }

  /** Returns the signature of an anchor in hexadecimal. Undefined if the key is not configured. */
  anchorSignature(anchor: SignedAnchor): string | undefined {
    return this.#signature(anchor.keyId, anchor);
  }

  /**
   * Returns the signature of an export in hexadecimal. Undefined if the key is not configured. Uses the anchor key, because
   * exports and anchors have no fields in common.
   */
  exportSignature(signed: SignedExport): string | undefined {
    return this.#signature(signed.keyId, signed);
  }

  #signature(keyId: string, signed: object): string | undefined {
    const key = this.#keys.get(keyId)?.anchor;
    return key && createHmac('sha256', key).update(canonicalJson(signed)).digest('hex');
  }
}
