import { createApp } from '../../src/app.js';
import { offlineConfig } from '../../src/config.js';
import type { Environment } from '../../src/core/environment.js';
import { createLogger } from '../../src/core/log.js';

export const renderings = ['/openapi.json', '/openapi-3.0.json'] as const;
export type Rendering = (typeof renderings)[number];

/** OpenAPI documents as served by both API hosts. Needs no database. */
export async function servedDocuments(): Promise<Record<Environment, Record<Rendering, any>>> {
  const app = await createApp(offlineConfig(), createLogger('silent'));
  try {
    const read = async (environment: Environment) =>
      Object.fromEntries(
        await Promise.all(
          renderings.map(async (url) => [url, (await app.hosts.get(environment)!.inject({ url })).json()]),
        ),
      ) as Record<Rendering, any>;
    return { uat: await read('uat'), production: await read('production') };
  } finally {
    await app.close();
  }
}
