import { createHmac, hkdfSync } from 'node:crypto';
import { canonicalJson, type NamedKey } from '../core/secret.js';

const KEY_BYTES = 32;

/** Everything of an entry that its hash covers, as the database's columns are called. */
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

/** What an anchor says: at that time the audit log ended with this entry. */
export interface SignedAnchor {
  id: string;
  /** Hash of the entry, in hexadecimal. */
  hash: string;
  at: string;
  keyId: string;
}

/** What the last line of an exported file says of the lines before it. */
export interface SignedExport {
  /** The period; null: from the first entry, or to the last one. */
  from: string | null;
  before: string | null;
  entries: number;
  /** Numbers of the first and the last entry; null when there is none. */
  first: string | null;
  last: string | null;
  lastHash: string | null;
  /** SHA-256 of all lines before, in hexadecimal. */
  lines: string;
  at: string;
  keyId: string;
}

/**
 * The keys of the audit log, which the database never sees: who can write to its tables still cannot make an entry that
 * verifies. The first key signs, all keys verify, so entries and anchors of before a rotation stay good.
 */
export class AuditKeys {
  readonly currentKeyId: string;
  /** Entries and anchors are signed with keys of their own, so that neither can be passed off as the other. */
  readonly #keys: ReadonlyMap<string, { entry: Buffer; anchor: Buffer }>;

  constructor(keys: readonly NamedKey[]) {
    const first = keys[0];
    if (!first) throw new Error('AUDIT_KEYS: at least one key is needed.');
    this.currentKeyId = first.id;
    this.#keys = new Map(
      keys.map(({ id, key }) => {
        const bytes = Buffer.from(key.reveal(), 'base64');
        if (bytes.length !== KEY_BYTES) throw new Error(`AUDIT_KEYS: key "${id}" must be 32 bytes of base64.`);
        const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', bytes, '', purpose, KEY_BYTES));
        return [id, { entry: derived('audit entry'), anchor: derived('audit anchor') }];
      }),
    );
  }

  /** HMAC-SHA256 of every column, in canonical JSON, behind the previous hash; undefined when its key is not configured. */
  entryHash(previous: Buffer, entry: SignedEntry): Buffer | undefined {
    const key = this.#keys.get(entry.key_id)?.entry;
    return key && createHmac('sha256', key).update(previous).update(canonicalJson(entry)).digest();
  }

  /** In hexadecimal; undefined when its key is not configured. */
  anchorSignature(anchor: SignedAnchor): string | undefined {
    return this.#signature(anchor.keyId, anchor);
  }

  /** With the key of the anchors: neither has the fields of the other. In hexadecimal; undefined when its key is not configured. */
  exportSignature(signed: SignedExport): string | undefined {
    return this.#signature(signed.keyId, signed);
  }

  #signature(keyId: string, signed: object): string | undefined {
    const key = this.#keys.get(keyId)?.anchor;
    return key && createHmac('sha256', key).update(canonicalJson(signed)).digest('hex');
  }
}
