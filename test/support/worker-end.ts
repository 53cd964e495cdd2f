import { ChildProcess } from 'node:child_process';

/** Global because modules are loaded again for each file, while a worker runs many files. */
const worker = globalThis as { endsWithChildren?: boolean };

/**
 * A worker is ended by SIGTERM and ends its children with it. A test that fails in the middle leaves its process running, which
 * keeps the output of the worker open. Vitest waits for the end of this output, so the run would never end.
 */
if (!worker.endsWithChildren) {
  worker.endsWithChildren = true;
  process.once('SIGTERM', () => {
    const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): unknown[] };
    for (const handle of handles.call(process)) if (handle instanceof ChildProcess) handle.kill('SIGKILL');
    process.exit(143);
  });
}
