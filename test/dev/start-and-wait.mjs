// A process that owns a local PostgreSQL until it is killed. Arguments: the options as JSON. Prints {url} when it is ready.
import { startLocalPostgres } from '../../dist/dev/local-postgres.js';

const { url } = await startLocalPostgres(JSON.parse(process.argv[2]));
process.on('disconnect', () => process.exit()); // also keeps the process alive
process.send({ url });
