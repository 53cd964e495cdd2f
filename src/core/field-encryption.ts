import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { NamedKey } from './secret.js';

/**
 * Formats of a value: JSON, deflated JSON, or bytes that are not JSON. Data is compressed before it is encrypted, because
 * ciphertext cannot be compressed.
 */
const PLAIN = 1;
const DEFLATED = 2;
const BYTES = 3;
/** Minimum length for compression; shorter texts do not become smaller. */
const DEFLATE_FROM_BYTES = 512;
/** Compression options that take half the time of the default level, with the same size for a list of plans. */
const FAST_DEFLATE = { level: 1 };
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * Size of the chunks in which a file is encrypted, so that there is no third copy in memory besides the file and its ciphertext.
 */
const PIECE_BYTES = 64 * 1024;

/**
 * AES-256-GCM for single values. Layout: version, key ID length, key ID, nonce, tag, ciphertext. `context` (table, row) is
 * authenticated, so a value copied to another row cannot be decrypted there. The first key encrypts, all keys decrypt. A key ID
 * has 1–32 characters and precedes every value, so that old rows remain readable after a rotation. A Buffer is decrypted to a
 * Buffer.
 */
export class FieldEncryption {
  readonly #keys: Map<string, Buffer>;
  readonly #current: string;

  constructor(keys: readonly NamedKey[]) {
    const first = keys[0];
    if (!first) throw new Error('At least one encryption key is required.');
    this.#current = first.id;
    this.#keys = new Map(keys.map(({ id, key }) => [id, Buffer.from(key.reveal(), 'base64')]));
    for (const [id, key] of this.#keys)
      if (key.length !== 32) throw new Error(`Encryption key "${id}" must be 32 bytes of base64.`);
  }

  get currentKeyId(): string {
    return this.#current;
  }

  encrypt(context: string, value: unknown): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keys.get(this.#current)!, nonce).setAAD(Buffer.from(context));
    const [version, plain] = pack(value);
    const id = Buffer.from(this.#current);
    const head = Buffer.concat([Buffer.from([version, id.length]), id, nonce]);
    const sealedFrom = head.length + TAG_BYTES;
    const bytes = Buffer.allocUnsafe(sealedFrom + plain.length);
    head.copy(bytes);
    for (let at = 0; at < plain.length; at += PIECE_BYTES)
      cipher.update(plain.subarray(at, at + PIECE_BYTES)).copy(bytes, sealedFrom + at);
    cipher.final();
    cipher.getAuthTag().copy(bytes, head.length);
    return bytes;
  }

  /** Decrypts a value. Throws if the key is unknown, the context differs or a byte was changed. */
  decrypt<T>(context: string, bytes: Buffer): T {
    const idEnd = 2 + (bytes[1] ?? 0);
    const nonceEnd = idEnd + NONCE_BYTES;
    const tagEnd = nonceEnd + TAG_BYTES;
    const key = this.#keys.get(bytes.subarray(2, idEnd).toString());
    const [version] = bytes;
    if ((version !== PLAIN && version !== DEFLATED && version !== BYTES) || !key)
      throw new Error('The value was encrypted with a key that is not configured.');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(idEnd, nonceEnd))
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(nonceEnd, tagEnd));
    const plain = decipher.update(bytes.subarray(tagEnd));
    // the cipher returns no bytes in this mode, but verifies the tag
    decipher.final();
    if (version === BYTES) return plain as T;
    return JSON.parse((version === DEFLATED ? inflateRawSync(plain) : plain).toString()) as T;
  }

  /** Returns whether values that were encrypted with this key can be decrypted. */
  knows(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Returns the ID of the key that encrypted a stored value. */
  keyIdOf(bytes: Buffer): string {
    return bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString();
  }
}

/** Returns the input of the cipher and its format. */
function pack(value: unknown): [version: number, plain: Buffer] {
  if (Buffer.isBuffer(value)) return [BYTES, value];
  const text = Buffer.from(JSON.stringify(value));
  return text.length >= DEFLATE_FROM_BYTES ? [DEFLATED, deflateRawSync(text, FAST_DEFLATE)] : [PLAIN, text];
}
