import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError, fieldError } from '../../core/errors.js';
import { keyedHash, type Secret, sameBytes } from '../../core/secret.js';

const NAME = 'Recharge Gateway';
/**
 * COSE identifiers of Ed25519, ES256 and RS256, which all devices support. The default list of the library requires experimental
 * ones of Node.
 */
const ALGORITHMS = [-8, -7, -257];
/** Time for a user to complete a passkey prompt. */
export const CHALLENGE_TTL_MS = 300_000;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;

/** Loads the library on demand, because it is large and many processes never need it. */
const webauthn = () => import('@simplewebauthn/server');

/** Passkey to store. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  /** Challenge of the response. It is valid only once. */
  challenge: string;
}

export interface KnownPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
}

/**
 * Passkeys (WebAuthn) for the host of the console. A challenge contains its expiry and purpose, so that requests for challenges
 * store nothing. The caller must ensure that each challenge is used only once.
 */
export class Passkeys {
  readonly #rpId: string;
  readonly #origin: string;

  /** @param consoleUrl base URL of the console. Passkeys are bound to its host, which cannot be an IP address. */
  constructor(
    consoleUrl: string,
    private readonly pepper: Secret,
  ) {
    const { hostname, origin } = new URL(consoleUrl);
    this.#rpId = hostname;
    this.#origin = origin;
  }

  /**
   * Options for `navigator.credentials.create`, as JSON.
   *
   * @param known IDs of the user's passkeys, so that an authenticator with one of them does not create another
   */
  async toCreate(user: { id: string; email: string; name: string }, known: string[], purpose: string): Promise<string> {
    this.#requireHostName();
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: NAME,
      rpID: this.#rpId,
      userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
      userName: user.email,
      userDisplayName: user.name,
      challenge: this.#challenge(purpose),
      timeout: CHALLENGE_TTL_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: known.map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return JSON.stringify(options);
  }

  /** Returns the options for `navigator.credentials.get` as JSON. They accept any passkey of this host. */
  async toShow(purpose: string): Promise<string> {
    this.#requireHostName();
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: this.#rpId,
      challenge: this.#challenge(purpose),
      timeout: CHALLENGE_TTL_MS,
      userVerification: 'required',
    });
    return JSON.stringify(options);
  }

  /**
   * Returns the passkey from a response to `toCreate`, or undefined if host, user or challenge do not match. Throws
   * VALIDATION_FAILED for `input.passkey`.
   */
  async created(text: string, purpose: string): Promise<NewPasskey | undefined> {
    const response = parsed(text);
    const { verifyRegistrationResponse } = await webauthn();
    let challenge = '';
    const verified = await verifyRegistrationResponse({
      response: response as never,
      expectedChallenge: (given) => this.#isOurs((challenge = given), purpose),
      expectedOrigin: this.#origin,
      expectedRPID: this.#rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(() => undefined);
    if (!verified?.verified) return undefined;
    const { id, publicKey, counter } = verified.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), signCount: counter, challenge };
  }

  /**
   * Verifies a response to `toShow`. Returns its challenge and the new signature counter, or undefined if the response is not
   * valid for this host at this time. Throws VALIDATION_FAILED for `input.passkey`.
   */
  async shown(
    text: string,
    { credentialId, publicKey, signCount }: KnownPasskey,
    purpose: string,
  ): Promise<{ challenge: string; signCount: number } | undefined> {
    const response = parsed(text);
    const { verifyAuthenticationResponse } = await webauthn();
    let challenge = '';
    const verified = await verifyAuthenticationResponse({
      response: response as never,
      expectedChallenge: (given) => this.#isOurs((challenge = given), purpose),
      expectedOrigin: this.#origin,
      expectedRPID: this.#rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount },
      requireUserVerification: true,
    }).catch(() => undefined);
    return verified?.verified ? { challenge, signCount: verified.authenticationInfo.newCounter } : undefined;
  }

  #requireHostName(): void {
    if (isIP(this.#rpId.replace(/^\[(.*)\]$/, '$1')) !== 0)
      throw new AppError('CONFLICT', {
        message: `Passkeys require a host name, but the console runs at the IP address ${this.#rpId}.`,
      });
  }

  /** Returns a challenge in the form that the library expects: base64url of time, random bytes and our signature. */
  #challenge(purpose: string): Uint8Array<ArrayBuffer> {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Date.now() + CHALLENGE_TTL_MS, 0, TIME_BYTES);
    const head = Buffer.concat([time, randomBytes(RANDOM_BYTES)]);
    return new Uint8Array(Buffer.concat([head, this.#signature(head, purpose)]));
  }

  #isOurs(challenge: string, purpose: string): boolean {
    const bytes = Buffer.from(challenge, 'base64url');
    const head = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
    if (head.length < TIME_BYTES + RANDOM_BYTES || head.readUIntBE(0, TIME_BYTES) <= Date.now()) return false;
    return sameBytes(bytes.subarray(head.length), this.#signature(head, purpose));
  }

  #signature(head: Buffer, purpose: string): Buffer {
    return keyedHash(this.pepper, 'passkey-challenge', `${purpose}\0${head.toString('base64url')}`);
  }
}

/** Returns the ID of the passkey in a response. Throws VALIDATION_FAILED for `input.passkey`. */
export const credentialIdOf = (text: string): string => parsed(text).id;

function parsed(text: string): { id: string } {
  try {
    const answer: unknown = JSON.parse(text);
    if (isAnswer(answer)) return answer;
  } catch {
    // the error is reported below
  }
  throw fieldError(
    'input.passkey',
    'PATTERN',
    'Must be a passkey response as JSON text: `toJSON()` of the credential.',
  );
}

const isAnswer = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { id?: unknown }).id === 'string' &&
  typeof (value as { response?: unknown }).response === 'object';
