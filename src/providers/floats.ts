import type { Paise } from '../core/money.js';
import type { RechargePort } from './ports/recharge.port.js';

/** What is left of our deposit with a provider, and when it said so. */
export interface Float {
  paise: Paise;
  at: Date;
}

const FRESH_MS = 60_000;
/** What a page waits for it; the next look shows an answer that comes later. */
const PATIENCE_MS = 2_000;

/** Deposits as providers report them. Each is asked when somebody looks, at most once a minute in a process, and never twice at once. */
export class Floats {
  readonly #known = new Map<string, Float>();
  readonly #askedAt = new Map<string, number>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(
    private readonly ports: readonly Pick<RechargePort, 'provider' | 'float'>[],
    private readonly now: () => number = Date.now,
  ) {}

  /** As it is known after a moment; undefined where the provider has never said it. */
  async of(provider: string): Promise<Float | undefined> {
    const port = this.ports.find((one) => one.provider === provider);
    if (!port?.float) return undefined;
    if (this.now() - (this.#askedAt.get(provider) ?? 0) >= FRESH_MS) this.#ask(provider, port.float.bind(port));
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resume) => (timer = setTimeout(resume, PATIENCE_MS)));
    await Promise.race([this.#asking.get(provider), patience]).finally(() => clearTimeout(timer));
    return this.#known.get(provider);
  }

  #ask(provider: string, float: () => Promise<Paise | undefined>): void {
    this.#askedAt.set(provider, this.now());
    const asking = float()
      .then((paise) => {
        if (paise !== undefined) this.#known.set(provider, { paise, at: new Date(this.now()) });
      })
      .finally(() => this.#asking.delete(provider));
    this.#asking.set(provider, asking);
  }
}
