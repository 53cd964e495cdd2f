import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds that the event loop has spent waiting for something to happen. While it does, nothing waits for it. */
const idleMs = (): number => performance.nodeTiming.idleTime;

interface Turn {
  number: number;
  /** When it ended, without what was idle until then. */
  busyMs: number;
  idleMs: number;
}

const endOf = (number: number): Turn => ({ number, busyMs: performance.now() - idleMs(), idleMs: idleMs() });

let last = endOf(0);
let turnBefore = last;
let isWatching = false;

/** At the end of each turn of the event loop. It keeps neither the process nor a turn alive. */
function noteTurn(): void {
  turnBefore = last;
  last = endOf(turnBefore.number + 1);
  setImmediate(noteTurn).unref();
}

/** Earliest instant at which what is read now can have come: the turn before had asked for what there is, and then it worked. */
const earliest = (): number => performance.now() - (performance.now() - idleMs() - turnBefore.busyMs);

/** When connections can have come on which nothing was read yet. */
const connected = new WeakMap<Socket, number>();
const arrivals = new WeakMap<IncomingMessage, number>();

/**
 * Notes of each request when it can have reached this machine at the earliest, however long it waited to be read. Of a server that has
 * other listeners of 'request', before they are called.
 */
export function watchArrivals(server: Server): void {
  if (!isWatching) {
    isWatching = true;
    noteTurn();
  }
  // A turn accepts one connection. Others wait, with what was sent on them, until a turn finds none: it is idle, or accepts nothing.
  let acceptedIn = Number.NEGATIVE_INFINITY;
  let waitingSince = 0;
  server.on('connection', (socket: Socket) => {
    const mayHaveWaited = acceptedIn >= last.number && idleMs() === last.idleMs;
    if (!mayHaveWaited) waitingSince = earliest();
    acceptedIn = last.number + 1;
    connected.set(socket, waitingSince);
  });
  server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request;
    arrivals.set(request, Math.min(earliest(), connected.get(socket) ?? Number.POSITIVE_INFINITY));
    connected.delete(socket);
  });
}

/** That instant of the monotonic clock. */
export const arrivalOf = (request: IncomingMessage): number => arrivals.get(request) ?? performance.now();
