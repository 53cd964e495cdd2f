import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError, fieldError } from '../../core/errors.js';
import { keyedHash, type Secret, sameBytes } from '../../core/secret.js';

const NAME = 'Recharge Gateway';
/** Of COSE: Ed25519, ES256, RS256. What every device has; the library's own list asks Node for experimental ones. */
const ALGORITHMS = [-8, -7, -257];
/** How long a person may take to touch a key. */
export const CHALLENGE_TTL_MS = 300_000;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;

/** The library is large, and a process whose users have no passkeys never needs it. */
const webauthn = () => import('@simplewebauthn/server');

/** A passkey that somebody has added. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  /** What was answered: it counts once. */
  challenge: string;
}

/** One that is known. */
export interface KnownPasskey {
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
}

/**
 * Passkeys (WebAuthn) of the console's host. A challenge says by itself until when and for what it counts, so that nobody fills a
 * table by asking for one; that it is answered once, its user has to see to.
 */
export class Passkeys {
  readonly #rpId: string;
  readonly #origin: string;

  /** @param consoleUrl whose host passkeys are bound to; an IP address can have none */
  constructor(
    consoleUrl: string,
    private readonly pepper: Secret,
  ) {
    const { hostname, origin } = new URL(consoleUrl);
    this.#rpId = hostname;
    this.#origin = origin;
  }

  /**
   * What `navigator.credentials.create` takes, as JSON.
   *
   * @param known ids of the user's passkeys: an authenticator that has one makes no second one
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

  /** What `navigator.credentials.get` takes, as JSON: any passkey of this host. */
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

  /** The passkey of an answer to `toCreate`; undefined when it is none of this host, user and moment. Errors: VALIDATION_FAILED on `input.passkey`. */
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
   * What an answer to `toShow` proves: the challenge and the new count of the passkey; undefined when it proves nothing, here and
   * now. Errors: VALIDATION_FAILED on `input.passkey`.
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
        message: `Passkeys need a host name: the console is at ${this.#rpId}, and an IP address can hold none.`,
      });
  }

  /** Text, as the library hands it on: base64url of time, random bytes and our signature. */
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

/** The id of the passkey that an answer is of. Errors: VALIDATION_FAILED on `input.passkey`. */
export const credentialIdOf = (text: string): string => parsed(text).id;

function parsed(text: string): { id: string } {
  try {
    const answer: unknown = JSON.parse(text);
    if (isAnswer(answer)) return answer;
  } catch {
    // said below
  }
  throw fieldError(
    'input.passkey',
    'PATTERN',
    'Must be the answer of a passkey as JSON: what toJSON() of the credential gives.',
  );
}

const isAnswer = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { id?: unknown }).id === 'string' &&
  typeof (value as { response?: unknown }).response === 'object';
