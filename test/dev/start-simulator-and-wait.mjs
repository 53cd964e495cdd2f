// A process that owns a simulator until it is killed. Argument: the options as JSON. Prints {port} when it is ready.
import { startSimulatorProcess } from '../../dist/dev/simulator-process.js';

const { port } = await startSimulatorProcess(JSON.parse(process.argv[2]));
process.on('disconnect', () => process.exit()); // also keeps the process alive
process.send({ port });
