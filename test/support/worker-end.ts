import { ChildProcess } from 'node:child_process';

/** Survives the modules of a file: a worker runs many files. */
const worker = globalThis as { endsWithChildren?: boolean };

/**
 * A worker is ended by SIGTERM and takes its children with it. A test that fails in the middle leaves the process that it
 * started, which holds the output of the worker: Vitest waits for the end of that output, and the run would never end.
 */
if (!worker.endsWithChildren) {
  worker.endsWithChildren = true;
  process.once('SIGTERM', () => {
    const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
    for (const handle of handles.call(process)) if (handle instanceof ChildProcess) handle.kill('SIGKILL');
    process.exit(143);
  });
}
