// A process that owns a simulator until it is killed. Argument: the options as JSON. Says {port} when it is ready.
import { startSimulatorProcess } from '../../dist/dev/simulator-process.js';

const { port } = await startSimulatorProcess(JSON.parse(process.argv[2]));
process.on('disconnect', () => process.exit()); // this also keeps it alive: nothing else does
process.send({ port });
