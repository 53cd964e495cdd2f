import { Client } from 'pg';

/** Credentials of this login. */
export const SERVICE = { username: 'gateway_service', password: 'of a test' };

/** Creates the login that `npm run serve` requires on a server. Its only role is that of the application. */
export async function createServiceLogin(adminUrl: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(`create role ${SERVICE.username} login password '${SERVICE.password}' in role gateway_app`);
  } finally {
    await client.end();
  }
}

/** Settings of a process that serves with this login. */
export function asService<Env extends Readonly<Record<string, string>>>(env: Env): Env {
  return { ...env, DATABASE_URL: Object.assign(new URL(env.DATABASE_URL!), SERVICE).href };
}
