import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { generateSync } from 'otplib';

/** Code of an authenticator app, `periodsFromNow` periods of 30 s from now. */
export const codeOf = (secret: string, periodsFromNow = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 * periodsFromNow });

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

/** Head of a CBOR item: RFC 8949, 3. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const map = (...entries: [Buffer, Buffer][]): Buffer => Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** A passkey in software with one ES256 key. It does what a browser and its device do, according to WebAuthn level 3. */
export class SoftwareAuthenticator {
  readonly #id = randomBytes(32);
  readonly #key: KeyObject;
  readonly #cose: Buffer;
  #count = 0;

  constructor(private readonly origin: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#cose = map(
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x!, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y!, 'base64url'))],
    );
  }

  /** Response to the options of `startPasskey`, as JSON text. */
  create(options: string, { origin = this.origin, flags = USER_PRESENT | USER_VERIFIED } = {}): string {
    const { challenge, rp } = JSON.parse(options) as { challenge: string; rp: { id: string } };
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#cose]);
    const authData = Buffer.concat([this.#authData(rp.id, flags | WITH_CREDENTIAL), credential]);
    const attestationObject = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(authData)],
    );
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge, origin).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
    });
  }

  /** Response to the options of `startPasskeySignIn`, as JSON text. `count`: next value of its counter. */
  show(
    options: string,
    { origin = this.origin, flags = USER_PRESENT | USER_VERIFIED, count = this.#count + 1 } = {},
  ): string {
    const { challenge, rpId } = JSON.parse(options) as { challenge: string; rpId: string };
    this.#count = count;
    const authData = this.#authData(rpId, flags);
    const clientData = this.#clientData('webauthn.get', challenge, origin);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.#key);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #answer(response: object): string {
    const id = this.#id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authData(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  }
}
