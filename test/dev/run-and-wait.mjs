// A process that owns a run directory with a PostgreSQL until it is killed. Prints {directory} when both are ready.
import { startLocalPostgres } from '../../dist/dev/local-postgres.js';
import { postgresDirectory } from '../support/postgres-directory.ts';
import { createRunDirectory } from '../support/run-directory.ts';

const { path: directory } = createRunDirectory();
await startLocalPostgres({ dataDir: postgresDirectory(directory), database: 'gateway', noSync: true });
process.on('disconnect', () => process.exit()); // also keeps the process alive
process.send({ directory });
