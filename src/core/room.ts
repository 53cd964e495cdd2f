import type { RequestContext } from './context.js';
import type { Surface } from './environment.js';
import type { Worker } from './workers.js';

/** Resolvers by schema. Resolvers of shared types are listed for both schemas. */
export type Resolvers = Readonly<Record<Surface, readonly object[]>>;

/** Reads an object by the key in its global ID. Returns undefined if it does not exist or the caller may not see it. */
export type LoadNode = (key: string, context: RequestContext) => Promise<object | undefined>;

/** Loaders of a surface, by the name of the type. */
export type NodeLoaders = Readonly<Record<Surface, Readonly<Record<string, LoadNode>>>>;

/** Returns the events of a subscription with valid arguments. Throws AppError before the first event. */
export type Source = (args: Record<string, unknown>, context: RequestContext) => Promise<AsyncGenerator>;
/** Sources by surface and subscription field. */
export type Sources = Readonly<Record<Surface, Readonly<Record<string, Source>>>>;

/** Background task as displayed by monitoring. */
export interface Task {
  /** Time of the last success in Unix milliseconds. Before the first one, the creation time. */
  readonly succeededAtMs: number;
}

/** Work of one kind that any process can do when it is due. One process checks for due work on behalf of all processes. */
export interface Duty {
  /** Name of the work, shared by all processes: letters, digits, `/`. */
  readonly name: string;
  readonly worker: Worker;
  /** SQL condition without parameters: whether there is work. It runs every second, so it must be a single index lookup. */
  readonly due: string;
  /** Starts checking for work and returns immediately. */
  wake(): void;
}

/** Module of the service for the composition root: its part of the GraphQL schema and its background tasks. */
export interface Room {
  /** Resolvers of GraphQL fields. */
  readonly resolvers?: Readonly<Partial<Resolvers>>;
  /** Loaders for `node(id)` of each schema. */
  readonly nodes?: Readonly<Partial<NodeLoaders>>;
  /** Event sources of subscriptions. */
  readonly sources?: Readonly<Partial<Sources>>;
  /** Returns the background tasks of a process with these workers, by name. */
  tasks?(workers: ReadonlySet<Worker>): Readonly<Record<string, Task>>;
  /** Runs before the first listener is opened. An error aborts the start. */
  prepare?(): Promise<void>;
  /** Work that `WorkWatch` checks for. */
  readonly duties?: readonly Duty[];
  /** Starts the background tasks of this process; returns immediately. */
  start?(workers: ReadonlySet<Worker>): void;
  /** Stops the background tasks while the last requests are processed. */
  stop?(): Promise<unknown>;
  /** Runs after the last request and closes resources that requests used. */
  close?(): Promise<unknown>;
}

/**
 * Combines modules. Each module must be listed after those that it uses. Modules start in this order, stop concurrently, and
 * close in the reverse order, so that a module is closed before those that it uses.
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

/** Background task that runs repeatedly. */
export interface Loop extends Task {
  start(): void;
  stop(): Promise<unknown>;
}

/** Creates `tasks`, `start` and `stop` of a module from loops, by name, for one worker. */
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
