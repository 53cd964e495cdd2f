import type { RequestContext } from './context.js';
import type { Surface } from './environment.js';
import type { Worker } from './workers.js';

/** Resolvers by schema. Those of types that both schemas have are listed in both. */
export type Resolvers = Readonly<Record<Surface, readonly object[]>>;

/** Reads an object by the key in its global ID for a caller who may see it; otherwise undefined. */
export type LoadNode = (key: string, context: RequestContext) => Promise<object | undefined>;

/** Loaders of a surface, by the name of the type. */
export type NodeLoaders = Readonly<Record<Surface, Readonly<Record<string, LoadNode>>>>;

/** The events of a subscription, for valid arguments. Errors: AppError, before the first event. */
export type Source = (args: Record<string, unknown>, context: RequestContext) => Promise<AsyncGenerator>;
/** Sources by surface and subscription field. */
export type Sources = Readonly<Record<Surface, Readonly<Record<string, Source>>>>;

/** A background task as monitoring sees it. */
export interface Task {
  /** Time of the last success in Unix milliseconds; before the first, time of creation. */
  readonly succeededAtMs: number;
}

/** Work of one kind that any process can do when it is due. One process checks for due work on behalf of all. */
export interface Duty {
  /** Name, shared by all processes: letters, digits, `/`. */
  readonly name: string;
  readonly worker: Worker;
  /** SQL without parameters: whether there is work. It runs every second, so it must be a single index lookup. */
  readonly due: string;
  /** Starts to check for work, and returns immediately. */
  wake(): void;
}

/** A module of the service as the composition root sees it: its part of the graph and its background tasks. */
export interface Room {
  /** Resolvers of its GraphQL fields. */
  readonly resolvers?: Readonly<Partial<Resolvers>>;
  /** Loaders for `node(id)` of each schema. */
  readonly nodes?: Readonly<Partial<NodeLoaders>>;
  /** Sources of its subscriptions. */
  readonly sources?: Readonly<Partial<Sources>>;
  /** Background tasks in a process with these workers, by name. */
  tasks?(workers: ReadonlySet<Worker>): Readonly<Record<string, Task>>;
  /** Runs before the first listener opens. An error aborts the start. */
  prepare?(): Promise<void>;
  /** Work that `WorkWatch` checks for. */
  readonly duties?: readonly Duty[];
  /** Starts the background tasks of this process; returns immediately. */
  start?(workers: ReadonlySet<Worker>): void;
  /** Stops the background tasks while the last requests are processed. */
  stop?(): Promise<unknown>;
  /** Runs after the last request: closes resources that requests used. */
  close?(): Promise<unknown>;
}

/**
 * Combines modules; each is listed after those that it uses. They start in the order of the list, stop concurrently, and close
 * in the reverse order, so that a module is closed before those that it uses.
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

/** A background task that runs repeatedly. */
export interface Loop extends Task {
  start(): void;
  stop(): Promise<unknown>;
}

/** The `tasks`, `start` and `stop` of a module with these loops, by name, for one worker. */
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
