import { type Simulator, type SimulatorOptions, startSimulator } from './server.js';
import { StartProblem, simulatorOptionsFrom } from './settings.js';

/** With an IPC channel, the parent process controls the shutdown: by SIGTERM, or by exiting, which closes the channel. */
const hasParent = process.send !== undefined;

let simulator: Simulator | undefined;
let isEnding = false;

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await simulator?.close();
  process.exit(0);
}

function explain(error: unknown, { host, port, dataDir }: SimulatorOptions): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use by another program. Stop that program, or set SIMULATOR_PORT to a free port.`;
  }
  if (code === 'EACCES') {
    return `Permission denied: this user cannot listen on port ${port} of ${host}, or cannot write to ${dataDir}.`;
  }
  return `The provider simulator could not start: ${error instanceof Error ? error.message : String(error)}`;
}

async function main(): Promise<void> {
  process.on('SIGTERM', () => void end());
  process.on('SIGINT', () => void (hasParent || end()));
  process.on('disconnect', () => void end());
  const options = simulatorOptionsFrom(process.env);
  try {
    simulator = await startSimulator(options);
  } catch (error) {
    throw new StartProblem(explain(error, options), { cause: error });
  }
  if (isEnding) return simulator.close();
  // A failed send needs no handling: if the parent has exited, this process exits too.
  if (hasParent) process.send?.({ port: simulator.port }, undefined, {}, () => {});
  else console.log(`Provider simulator on ${simulator.url}`);
}

main().catch((error: unknown) => {
  if (!(error instanceof StartProblem)) throw error;
  console.error(error.message);
  process.exit(1);
});
