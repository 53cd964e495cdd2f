// A process that owns a run directory with a PostgreSQL in it until it is killed. Says {directory} when both are there.
import { startLocalPostgres } from '../../dist/dev/local-postgres.js';
import { postgresDirectory } from '../support/postgres-directory.ts';
import { createRunDirectory } from '../support/run-directory.ts';

const { path: directory } = createRunDirectory();
await startLocalPostgres({ dataDir: postgresDirectory(directory), database: 'gateway', noSync: true });
process.on('disconnect', () => process.exit()); // this also keeps it alive: nothing else does
process.send({ directory });
