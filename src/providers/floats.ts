import type { Paise } from '../core/money.js';
import type { RechargePort } from './ports/recharge.port.js';

/** Balance of our deposit with a provider, and the time the provider reported it. */
export interface Float {
  paise: Paise;
  at: Date;
}

const FRESH_MS = 60_000;
/** Maximum time that a page waits for the balance. If the response is later, the next view shows it. */
const WAIT_LIMIT_MS = 2_000;

/**
 * Deposits as reported by providers. A deposit is fetched on demand, at most once per minute and process, and never concurrently.
 */
export class Floats {
  readonly #floats = new Map<string, Float>();
  readonly #requestedAtMs = new Map<string, number>();
  readonly #requests = new Map<string, Promise<void>>();

  constructor(
    private readonly ports: readonly Pick<RechargePort, 'provider' | 'float'>[],
    private readonly now: () => number = Date.now,
  ) {}

  /** Returns the latest balance after a short wait. Returns undefined if the provider has never reported it. */
  async of(provider: string): Promise<Float | undefined> {
    const port = this.ports.find((candidate) => candidate.provider === provider);
    if (!port?.float) return undefined;
    if (this.now() - (this.#requestedAtMs.get(provider) ?? 0) >= FRESH_MS)
      this.#request(provider, port.float.bind(port));
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resume) => (timer = setTimeout(resume, WAIT_LIMIT_MS)));
    await Promise.race([this.#requests.get(provider), timeout]).finally(() => clearTimeout(timer));
    return this.#floats.get(provider);
  }

  #request(provider: string, float: () => Promise<Paise | undefined>): void {
    this.#requestedAtMs.set(provider, this.now());
    const request = float()
      .then((paise) => {
        if (paise !== undefined) this.#floats.set(provider, { paise, at: new Date(this.now()) });
      })
      .finally(() => this.#requests.delete(provider));
    this.#requests.set(provider, request);
  }
}
