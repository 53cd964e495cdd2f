// A client that sends recharges without an idempotency key from its own process, so that the service's event loop does not delay
// its clock and writes. Reads `{ port, token, waves: { body, delaysMs }[] }` from standard input. Writes each request of a wave
// to its own open connection after its delay. Prints `[{ id, isReplayed, isEarly }]` for each wave. isEarly means that the
// request was written before any byte of a response in this wave arrived.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const { port, token, waves } = JSON.parse(await text(process.stdin));

const open = () =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('connect', () => resolve(socket)).once('error', reject);
  });

async function send(socket, body, wave) {
  const content = JSON.stringify(body);
  const head = `POST /api/v1/recharge HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`;
  const isEarly = !wave.isAnswered;
  socket.write(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
  );
  socket.once('data', () => (wave.isAnswered = true));
  const [top, answer] = (await text(socket)).split('\r\n\r\n');
  const id = /"api_request_id":"([^"]+)"/.exec(answer)?.[1];
  return { id: id ?? answer, isReplayed: /^idempotent-replayed: true/im.test(top), isEarly };
}

const results = [];
for (const { body, delaysMs } of waves) {
  const wave = { isAnswered: false };
  const sockets = await Promise.all(delaysMs.map(open));
  results.push(
    await Promise.all(delaysMs.map((delayMs, n) => pause(delayMs).then(() => send(sockets[n], body, wave)))),
  );
}
console.log(JSON.stringify(results));
