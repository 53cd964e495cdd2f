import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Returns the time in milliseconds that the event loop has spent idle. While the loop is idle, no request waits for it. */
const idleMs = (): number => performance.nodeTiming.idleTime;

interface Turn {
  number: number;
  /** Busy time at the end of the iteration: its end time minus the total idle time. */
  busyMs: number;
  idleMs: number;
}

const endOf = (number: number): Turn => ({ number, busyMs: performance.now() - idleMs(), idleMs: idleMs() });

let last = endOf(0);
let previousTurn = last;
let isWatching = false;

/**
 * Notes the busy time. It is called at the end of each event loop iteration. Does not keep the process or the iteration alive.
 */
function noteTurn(): void {
  previousTurn = last;
  last = endOf(previousTurn.number + 1);
  setImmediate(noteTurn).unref();
}

/**
 * Returns the earliest possible arrival time of the data that is being read. The previous iteration polled for data, and the
 * loop has been busy since then.
 */
const earliest = (): number => performance.now() - (performance.now() - idleMs() - previousTurn.busyMs);

/** Earliest arrival time of connections from which no data has been read yet. */
const connectionTimes = new WeakMap<Socket, number>();
const arrivals = new WeakMap<IncomingMessage, number>();

/**
 * Records for each request the earliest time at which it can have reached this machine, even if it waited to be read. Runs before
 * other 'request' listeners of the server.
 */
export function watchArrivals(server: Server): void {
  if (!isWatching) {
    isWatching = true;
    noteTurn();
  }
  // An iteration accepts one connection. Other connections wait with their data until an iteration accepts none.
  let acceptedIn = Number.NEGATIVE_INFINITY;
  let waitingSince = 0;
  server.on('connection', (socket: Socket) => {
    const mayHaveWaited = acceptedIn >= last.number && idleMs() === last.idleMs;
    if (!mayHaveWaited) waitingSince = earliest();
    acceptedIn = last.number + 1;
    connectionTimes.set(socket, waitingSince);
  });
  server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request;
    arrivals.set(request, Math.min(earliest(), connectionTimes.get(socket) ?? Number.POSITIVE_INFINITY));
    connectionTimes.delete(socket);
  });
}

/** Returns the earliest arrival time of a request on the monotonic clock. */
export const arrivalOf = (request: IncomingMessage): number => arrivals.get(request) ?? performance.now();
