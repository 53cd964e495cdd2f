import type { RequestContext } from './context.js';
import type { Surface } from './environment.js';
import type { Worker } from './workers.js';

/** Resolvers by the schema that they belong to; those of types that both have stand in both. */
export type Resolvers = Readonly<Record<Surface, readonly object[]>>;

/** Reads a thing by the key in its global id, for who may see it; undefined when there is none for this caller. */
export type LoadNode = (key: string, context: RequestContext) => Promise<object | undefined>;

/** By the name of the type. */
export type NodeLoaders = Readonly<Record<Surface, Readonly<Record<string, LoadNode>>>>;

/** The events of a subscription, for arguments that fit. Errors: AppError, before the first event. */
export type Source = (args: Record<string, unknown>, context: RequestContext) => Promise<AsyncGenerator>;
/** By the schema and the field of the subscription. */
export type Sources = Readonly<Record<Surface, Readonly<Record<string, Source>>>>;

/** Something that runs beside requests, as monitoring sees it. */
export interface Task {
  /** When it last did its work, in Unix milliseconds; before that, when it was made. */
  readonly succeededAtMs: number;
}

/** Work of one kind that any process may do once it is due, and that one process looks for on behalf of all. */
export interface Duty {
  /** Its name between processes: letters, digits, `/`. */
  readonly name: string;
  readonly worker: Worker;
  /** SQL, without parameters: whether there is some. Read each second, so it is one look at an index. */
  readonly due: string;
  /** There may be some: begins to do it, and returns at once. */
  wake(): void;
}

/** A part of the service as the composition root sees it: what it adds to the graph, and what runs beside requests. */
export interface Room {
  /** Of its GraphQL fields. */
  readonly resolvers?: Readonly<Partial<Resolvers>>;
  /** How `node(id)` of each schema reads them. */
  readonly nodes?: Readonly<Partial<NodeLoaders>>;
  /** What subscriptions are fed by. */
  readonly sources?: Readonly<Partial<Sources>>;
  /** What has to do its work again and again in a process with these workers, by name. */
  tasks?(workers: ReadonlySet<Worker>): Readonly<Record<string, Task>>;
  /** Before the first listener opens. An error stops the start. */
  prepare?(): Promise<void>;
  /** What is looked for by `WorkWatch`. */
  readonly duties?: readonly Duty[];
  /** Begins what runs beside requests, as far as it is this process's part; returns at once. */
  start?(workers: ReadonlySet<Worker>): void;
  /** Ends what runs beside requests, while the last requests are answered. */
  stop?(): Promise<unknown>;
  /** After the last request: ends what requests used. */
  close?(): Promise<unknown>;
}

/**
 * Rooms as one, each listed after those that it uses: they start in the order of the list, stop side by side, and close in the
 * opposite order, so that what is used is closed after what uses it.
 */
export function compose(
  rooms: readonly Room[],
): Required<Room> & { resolvers: Resolvers; nodes: NodeLoaders; sources: Sources } {
  return {
    resolvers: {
      api: rooms.flatMap(({ resolvers }) => resolvers?.api ?? []),
      console: rooms.flatMap(({ resolvers }) => resolvers?.console ?? []),
    },
    sources: {
      api: Object.assign({}, ...rooms.map(({ sources }) => sources?.api)),
      console: Object.assign({}, ...rooms.map(({ sources }) => sources?.console)),
    },
    tasks: (workers) => Object.assign({}, ...rooms.map((room) => room.tasks?.(workers))),
    nodes: {
      api: Object.assign({}, ...rooms.map(({ nodes }) => nodes?.api)),
      console: Object.assign({}, ...rooms.map(({ nodes }) => nodes?.console)),
    },
    duties: rooms.flatMap(({ duties }) => duties ?? []),
    async prepare() {
      for (const room of rooms) await room.prepare?.();
    },
    start(workers) {
      for (const room of rooms) room.start?.(workers);
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
export interface Loop extends Task {
  start(): void;
  stop(): Promise<unknown>;
}

/** The `tasks`, `start` and `stop` of a room whose loops these are, by name, of one kind of work. */
export const loops = (
  worker: Worker,
  all: Readonly<Record<string, Loop>>,
): Required<Pick<Room, 'tasks' | 'start' | 'stop'>> => ({
  tasks: (workers) => (workers.has(worker) ? all : {}),
  start: (workers) => {
    if (workers.has(worker)) for (const loop of Object.values(all)) loop.start();
  },
  stop: () => Promise.all(Object.values(all).map((loop) => loop.stop())),
});
