import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds that the event loop has spent idle. While it is idle, no request waits for it. */
const idleMs = (): number => performance.nodeTiming.idleTime;

interface Turn {
  number: number;
  /** Time of its end, minus the idle time until then. */
  busyMs: number;
  idleMs: number;
}

const endOf = (number: number): Turn => ({ number, busyMs: performance.now() - idleMs(), idleMs: idleMs() });

let last = endOf(0);
let turnBefore = last;
let isWatching = false;

/** Called at the end of each iteration of the event loop. It keeps neither the process nor an iteration alive. */
function noteTurn(): void {
  turnBefore = last;
  last = endOf(turnBefore.number + 1);
  setImmediate(noteTurn).unref();
}

/**
 * Earliest time at which the data that is read now can have arrived: the previous iteration had polled for data, and then the
 * loop was busy.
 */
const earliest = (): number => performance.now() - (performance.now() - idleMs() - turnBefore.busyMs);

/** Earliest arrival time of connections from which nothing was read yet. */
const connected = new WeakMap<Socket, number>();
const arrivals = new WeakMap<IncomingMessage, number>();

/**
 * Records for each request the earliest time at which it can have reached this machine, however long it waited to be read. For
 * servers with other 'request' listeners, it runs before them.
 */
export function watchArrivals(server: Server): void {
  if (!isWatching) {
    isWatching = true;
    noteTurn();
  }
  // An iteration accepts one connection. Others wait, with their data, until an iteration finds none: it is idle, or accepts
  // nothing.
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

/** The earliest arrival time on the monotonic clock. */
export const arrivalOf = (request: IncomingMessage): number => arrivals.get(request) ?? performance.now();
