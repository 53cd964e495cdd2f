import { type Simulator, type SimulatorOptions, startSimulator } from './server.js';
import { StartProblem, simulatorOptionsFrom } from './settings.js';

/** With an IPC channel a parent program decides about the end: by SIGTERM, or by its own end, which closes the channel. */
const hasParent = process.send !== undefined;

let simulator: Simulator | undefined;
let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await simulator?.close();
  process.exit(0);
}

function explained(error: unknown, { host, port, dataDir }: SimulatorOptions): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is in use by another program: stop it, or set SIMULATOR_PORT to a free port.`;
  }
  if (code === 'EACCES') {
    return `This user may not listen on port ${port} of ${host}, or may not write to ${dataDir}.`;
  }
  return `The provider simulator cannot start: ${error instanceof Error ? error.message : String(error)}`;
}

async function main(): Promise<void> {
  process.on('SIGTERM', () => void end());
  process.on('SIGINT', () => void (hasParent || end()));
  process.on('disconnect', () => void end());
  const options = simulatorOptionsFrom(process.env);
  try {
    simulator = await startSimulator(options);
  } catch (error) {
    throw new StartProblem(explained(error, options), { cause: error });
  }
  if (ending) return simulator.close();
  // A message that a parent can no longer take needs no handling: its end ends us.
  if (hasParent) process.send?.({ port: simulator.port }, undefined, {}, () => {});
  else console.log(`Provider simulator on ${simulator.url}`);
}

main().catch((error: unknown) => {
  if (!(error instanceof StartProblem)) throw error;
  console.error(error.message);
  process.exit(1);
});
