import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FairQueue } from '../core/fair-queue.js';
import { isProbe } from './request-line.js';

/** New requests may keep the event loop for so long before it looks again for what else has arrived. */
const TURN_MS = 5;

/** Nobody has counted yet what waits here. */
const MOST_WAITING = 4_000;

/** What Node's parser is told by then. */
const UPGRADE = 2;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Of all hosts, which take turns: they share one event loop. */
const waiting = new FairQueue<Server, { socket: Socket; begin: () => void }>();
let isUnderWay = false;
let endsMs = 0;
/** Where the last request came from. */
let last: Socket | undefined;

/**
 * Thousands of requests that arrive in one moment are begun some at a time, in the order in which each host got them. Else the event
 * loop would begin all of them before it hears of anybody else, such as who asks whether the process lives. Probes never wait. Where
 * too many wait, a request is begun at once, and refused if it has to be; but a connection that has sent others before it in the same
 * moment is ended: one read of the socket can hold two thousand, and nothing of them can be forgotten until it closes.
 */
export function beginInTurns(server: Server): void {
  const [handle] = server.listeners('request') as [Handle];
  server.removeListener('request', handle);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const isBehindOthers = socket === last;
    last = socket;
    if (socket.destroyed) return;
    if (isProbe(request.url)) return handle(request, response);
    if (!isUnderWay) begin();
    if (waiting.length === 0 && performance.now() < endsMs) handle(request, response);
    else if (waiting.length < MOST_WAITING) waiting.push(server, { socket, begin: () => handle(request, response) });
    else if (isBehindOthers) end(socket);
    else handle(request, response);
  });
}

/** Node reads on what it has of a socket that is destroyed. Its parser stops where what follows is said to be of another protocol. */
function end(socket: Socket): void {
  socket.destroy();
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => UPGRADE;
}

function begin(): void {
  isUnderWay = true;
  endsMs = performance.now() + TURN_MS;
  // after everything that has arrived, and before it is asked what else has
  setImmediate(() => {
    isUnderWay = false;
    last = undefined;
    if (waiting.length === 0) return;
    begin();
    goOn();
  });
}

/** One after the other, each with what it leads to at once, so that the time counts that it takes. */
function goOn(): void {
  const next = waiting.shift();
  if (next && !next.socket.destroyed) next.begin();
  if (waiting.length > 0 && performance.now() < endsMs) queueMicrotask(goOn);
}
