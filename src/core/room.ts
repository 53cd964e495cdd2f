/** A part of the service as the composition root sees it: what it adds to the graph, and what runs beside requests. */
export interface Room {
  /** Of its GraphQL fields. */
  readonly resolvers?: readonly object[];
  /** Before the first listener opens. An error stops the start. */
  prepare?(): Promise<void>;
  /** Begins what runs beside requests; returns at once. */
  start?(): void;
  /** Ends what runs beside requests, while the last requests are answered. */
  stop?(): Promise<unknown>;
  /** After the last request: ends what requests used. */
  close?(): Promise<unknown>;
}

/**
 * Rooms as one, each listed after those that it uses: they start in the order of the list, stop side by side, and close in the
 * opposite order, so that what is used is closed after what uses it.
 */
export function compose(rooms: readonly Room[]): Required<Room> {
  return {
    resolvers: rooms.flatMap(({ resolvers = [] }) => resolvers),
    async prepare() {
      for (const room of rooms) await room.prepare?.();
    },
    start() {
      for (const room of rooms) room.start?.();
    },
    async stop() {
      await Promise.all(rooms.map(async (room) => room.stop?.()));
    },
    async close() {
      for (const room of rooms.toReversed()) await room.close?.();
    },
  };
}

/** Something that runs beside requests, over and over. */
export interface Loop {
  start(): void;
  stop(): Promise<unknown>;
}

/** The `start` and `stop` of a room whose loops these are. */
export const loops = (...all: readonly Loop[]): Required<Pick<Room, 'start' | 'stop'>> => ({
  start: () => all.forEach((loop) => loop.start()),
  stop: () => Promise.all(all.map((loop) => loop.stop())),
});
