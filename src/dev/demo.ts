import { isIPv6 } from 'node:net';
import path from 'node:path';
import { type App, createApp } from '../app.js';
import { loadConfig, withSecretFiles } from '../config.js';
import { createLogger } from '../core/log.js';
import { OtherBaseline } from '../db/baseline.js';
import { migrate } from '../db/migrate.js';
import { failToStart, stopOnSignals } from '../process-life.js';
import { demoLeadCustomerId, providerSettings } from '../simulator/credentials.js';
import { banner } from './banner.js';
import { type DemoFile, loadOrCreateSettings, readDemo, writeDemo } from './demo-file.js';
import { startLocalPostgres } from './local-postgres.js';
import { placePracticeOrder } from './practice-order.js';
import { makeDataDir, reachableName, requireFreePorts } from './preflight.js';
import { isDemoIntact, seedDemo } from './seed.js';
import { startSimulatorProcess } from './simulator-process.js';

const olderData = (dataDir: string): string =>
  `The data in ${dataDir} was created by an incompatible older version of this product. Delete ${dataDir} (or set DATA_DIR) and start again.`;

/**
 * Address of the simulator. The simulator completes payments for anyone who calls it, so it only listens on the loopback
 * address, regardless of HOST.
 */
const LOOPBACK = '127.0.0.1';

/** Starts the whole service on one machine, with an embedded database, demo accounts and the provider simulator. */
export async function startDemo(): Promise<void> {
  const env = withSecretFiles(process.env);
  const dataDir = path.resolve(env.DATA_DIR || '.data');
  const displayPath = path.relative(process.cwd(), dataDir) || dataDir;
  const host = env.HOST || '127.0.0.1';
  const ports = {
    UAT_PORT: env.UAT_PORT || '4000',
    PRODUCTION_PORT: env.PRODUCTION_PORT || '4001',
    CONSOLE_PORT: env.CONSOLE_PORT || '4002',
  };
  const simulatorPort = Number(env.SIMULATOR_PORT || 4003);
  await requireFreePorts([
    ...Object.entries(ports).map(([setting, port]) => ({ setting, host, port: Number(port) })),
    { setting: 'SIMULATOR_PORT', host: LOOPBACK, port: simulatorPort },
  ]);
  makeDataDir(dataDir);
  const settings = { ...loadOrCreateSettings(dataDir), ...env };
  const name = reachableName(host);
  const ownUrl = `http://${isIPv6(name) ? `[${name}]` : name}:${ports.PRODUCTION_PORT}`;

  const parts: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of parts.splice(0).toReversed()) await stop();
  };
  let isStopped = false;
  stopOnSignals(async () => {
    isStopped = true;
    await stopAll();
  });

  try {
    const database = env.DATABASE_URL
      ? { url: env.DATABASE_URL, stop: async () => {} }
      : await startLocalPostgres({ dataDir: path.join(dataDir, 'postgres'), database: 'gateway' });
    parts.push(() => database.stop());
    const [simulator] = await Promise.all([
      startSimulatorProcess({
        host: LOOPBACK,
        port: simulatorPort,
        dataDir,
        env: {
          PRODUCTION_CALLBACK_URL: ownUrl,
          CALLBACK_SECRETS: settings.CALLBACK_SECRETS,
        },
      }),
      migrate(database.url),
    ]);
    parts.push(() => simulator.stop());

    const config = loadConfig({
      ...providerSettings(simulator.url),
      LOG_LEVEL: 'warn',
      // the demo is a single process
      SHARED_LIMITS: 'memory',
      // avoids an additional port that would have to be free
      HEALTH_ON_HOSTS: 'true',
      // there is no load balancer, and Ctrl-C should not take seconds
      SHUTDOWN_DELAY_MS: '0',
      // webhooks are tried with receivers on this machine
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      // the passwords are printed anyway
      STAFF_SECOND_FACTOR: 'optional',
      // pages that call the API during development are served from a port of this machine
      CORS_ORIGINS_UAT: 'loopback',
      MAILBOX_DIR: path.join(dataDir, 'mailbox'),
      ...(name === host
        ? {}
        : {
            PUBLIC_URL_UAT: `http://${name}:${ports.UAT_PORT}`,
            PUBLIC_URL_PRODUCTION: `http://${name}:${ports.PRODUCTION_PORT}`,
            PUBLIC_URL_CONSOLE: `http://${name}:${ports.CONSOLE_PORT}`,
          }),
      ...settings,
      DATABASE_URL: database.url,
    });
    const app = await createApp(config, createLogger(config.logLevel));
    parts.push(() => app.close());

    const { publicUrls } = config;
    const previous = readDemo(dataDir);
    const existing = previous && (await isDemoIntact(app, previous)) ? previous : undefined;
    const secrets = existing ? { ...existing, ...existing.console } : await seedDemo(app, demoLeadCustomerId);
    const demo: DemoFile = {
      uat: { ...secrets.uat, baseUrl: publicUrls.uat },
      production: { ...secrets.production, baseUrl: publicUrls.production },
      mokshiq: { ...secrets.mokshiq, baseUrl: publicUrls.production },
      uatOnly: { ...secrets.uatOnly, baseUrl: publicUrls.uat },
      console: {
        baseUrl: publicUrls.console,
        admin: secrets.admin,
        secondAdmin: secrets.secondAdmin,
        developer: secrets.developer,
      },
      simulator: { baseUrl: simulator.url },
      databaseUrl: env.DATABASE_URL || undefined,
    };
    await app.listen();
    if (!existing) await placePracticeOrder(app, { ...demo.mokshiq, baseUrl: ownUrl });
    writeDemo(dataDir, demo);
    process.stdout.write(
      banner(demo, displayPath, { uatToken: await demoToken(app, demo), uatOrigins: config.uatOrigins }),
    );
  } catch (error) {
    if (isStopped) return;
    await stopAll().catch(() => {});
    const isOwnDatabase = error instanceof OtherBaseline && !env.DATABASE_URL;
    failToStart(isOwnDatabase ? new Error(olderData(displayPath)) : error);
  }
}

const START = { requestId: 'npm start', addressKey: '127.0.0.1' };

/** Returns the UAT token of the demo developer, for the link that `npm start` prints. */
async function demoToken(app: App, demo: DemoFile): Promise<string> {
  const { clientId, apiSecret } = demo.uat;
  const { token } = await app.tokens.issue(
    { clientId, apiSecret, environment: 'uat', deviceName: 'npm start' },
    'uat',
    START,
  );
  return token;
}
