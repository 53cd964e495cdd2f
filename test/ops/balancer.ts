import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

const CHECKED_EVERY_MS = 200;
/** Failures in a row after which a process gets no new connections. */
const FALL = 2;

/** A balancer of connections, as HAProxy in TCP mode: it asks each process whether it is ready, and sends new connections to those that are. */
export class Balancer {
  readonly #server: Server;
  readonly #failures = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  private constructor(targets: readonly string[]) {
    for (const target of targets) this.#failures.set(target, FALL);
    this.#timer = setInterval(() => void this.#check(), CHECKED_EVERY_MS);
    this.#server = createServer((client) => {
      const ready = targets.filter((target) => this.isReady(target));
      const target = ready[this.#turn++ % ready.length];
      if (target === undefined) return void client.destroy();
      const server = connect(Number(new URL(target).port), '127.0.0.1');
      const end = (): void => {
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) socket.on('error', end).on('close', end);
      client.pipe(server).pipe(client);
    });
  }

  /** @param targets base URLs that answer `/readyz` */
  static async start(targets: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(targets);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    await balancer.#check();
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  isReady(target: string): boolean {
    return this.#failures.get(target)! < FALL;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
  }

  async #check(): Promise<void> {
    await Promise.all(
      [...this.#failures].map(async ([target, failures]) => {
        const ready = await fetch(`${target}/readyz`).then(
          async (answer) => (await answer.text(), answer.ok),
          () => false,
        );
        this.#failures.set(target, ready ? 0 : failures + 1);
      }),
    );
  }
}
