import { type LinkedConnection, TcpLink } from './tcp-link.js';

interface Exchange {
  /** Data that the process has written since the last response. */
  request: string;
  responded: boolean;
  counted: Set<string>;
  /** Data from the provider that is withheld from the process; null for the end of the connection. */
  kept: (Buffer | null)[];
}

/** The connection of one API process to the providers. The test can count calls, withhold responses and cut the link. */
export class ProviderLink {
  readonly #link: TcpLink;
  readonly #exchanges = new WeakMap<LinkedConnection, Exchange>();
  readonly #calls = new Map<string, number>();
  readonly #held = new Set<string>();
  /** Texts whose response has arrived and is withheld. */
  readonly #responded = new Set<string>();
  #watched: readonly string[] = [];
  #holding: LinkedConnection[] = [];

  constructor(target: () => number) {
    this.#link = new TcpLink(target, {
      fromClient: (connection, bytes) => this.#fromClient(connection, bytes),
      fromServer: (connection, bytes) => this.#fromServer(connection, bytes),
      serverClosed: (connection) => this.#fromServer(connection, null),
    });
  }

  get port(): number {
    return this.#link.port;
  }

  async open(): Promise<this> {
    await this.#link.open();
    return this;
  }

  /** Resets calls in progress and rejects new connections until `open`. Returns the number of connections that were cut. */
  cut(): Promise<number> {
    return this.#link.cut();
  }

  /** Counts calls that contain these texts (account numbers, lead codes) from now on. */
  watch(texts: readonly string[]): void {
    this.#watched = texts;
    this.#calls.clear();
    this.#responded.clear();
  }

  /** Number of calls that contained the text. */
  calls(text: string): number {
    return this.#calls.get(text) ?? 0;
  }

  /** Withholds the responses to calls that contain one of these texts. */
  hold(texts: readonly string[]): void {
    for (const text of texts) this.#held.add(text);
  }

  /** The provider has responded or dropped the connection, and the process has not received it. */
  hasWithheldResponse(text: string): boolean {
    return this.#responded.has(text);
  }

  /** Delivers withheld data, and withholds nothing from now on. */
  deliver(): void {
    this.#held.clear();
    for (const connection of this.#holding) this.#flush(connection);
    this.#holding = [];
  }

  #exchangeOf(connection: LinkedConnection): Exchange {
    let exchange = this.#exchanges.get(connection);
    if (!exchange) {
      exchange = { request: '', responded: false, counted: new Set(), kept: [] };
      this.#exchanges.set(connection, exchange);
    }
    return exchange;
  }

  #fromClient(connection: LinkedConnection, bytes: Buffer): void {
    const exchange = this.#exchangeOf(connection);
    if (exchange.responded) Object.assign(exchange, { request: '', responded: false, counted: new Set() });
    exchange.request += bytes.toString('latin1');
    for (const text of this.#watched) {
      if (exchange.counted.has(text) || !exchange.request.includes(text)) continue;
      exchange.counted.add(text);
      this.#calls.set(text, this.calls(text) + 1);
    }
    connection.server.write(bytes);
  }

  #fromServer(connection: LinkedConnection, bytes: Buffer | null): void {
    const exchange = this.#exchangeOf(connection);
    exchange.responded = true;
    const held = [...exchange.counted].filter((text) => this.#held.has(text));
    exchange.kept.push(bytes);
    if (held.length === 0) return this.#flush(connection);
    for (const text of held) this.#responded.add(text);
    this.#holding.push(connection);
  }

  #flush(connection: LinkedConnection): void {
    for (const bytes of this.#exchangeOf(connection).kept.splice(0)) {
      if (bytes) connection.client.write(bytes);
      else connection.client.destroy();
    }
  }
}
