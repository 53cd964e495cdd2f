import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../support/ports.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Installed server, or undefined if there is none. */
export const redisProgram = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).error === undefined,
);

export interface RedisServer {
  url: string;
  /** Stops responding until it is woken; connections stay open. */
  hang(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** Starts a server without persistence. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const place = String(port ?? (await freePort()));
  const child = spawn(
    redisProgram!,
    ['--port', place, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', temporaryDirectory()],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const line of child.stdout) if (String(line).includes('Ready to accept connections')) break;
  child.stdout.resume();
  return {
    url: `redis://127.0.0.1:${place}`,
    hang: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

/** Starts a server that implements only enough of the protocol to appear ready, and responds to nothing else. */
export async function startMuteRedis(): Promise<{ url: string; requestCount: () => number; stop: () => void }> {
  let requestCount = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const words = data.toString().toLowerCase();
      for (const [command] of words.matchAll(/\$\d+\r\n(?:info|client|hello|evalsha|script)\r\n/g))
        if (command.includes('info')) socket.write('$9\r\nloading:0\r\n');
        else if (command.includes('client')) socket.write('+OK\r\n');
        else requestCount++;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${port}`,
    requestCount: () => requestCount,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
