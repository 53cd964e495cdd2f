import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { attachLocalPostgres } from '../../src/dev/local-postgres/attach.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { DATABASE, HOST, isAlive, postmasterPid, query, start } from './local-postgres.fixture.js';

const attach = (dataDir: string) => attachLocalPostgres({ dataDir, host: HOST, database: DATABASE });
const one = async (url: string): Promise<unknown> => (await query(url, 'select 1 as one'))[0]!.one;

it('joins a server that its owner runs and leaves it running; starts one that nobody runs and stops it', async () => {
  const dataDir = path.join(temporaryDirectory(), 'postgres');
  const owner = await start(dataDir);
  const joined = await attach(dataDir);
  expect([joined.started, joined.url, await one(joined.url)]).toEqual([false, owner.url, 1]);
  await joined.detach();
  expect(await one(owner.url)).toBe(1);
  await owner.stop();

  const started = await attach(dataDir);
  expect([started.started, await one(started.url)]).toEqual([true, 1]);
  const pid = postmasterPid(dataDir);
  await started.detach();
  expect(isAlive(pid)).toBe(false);
});

it('makes no database where there is none', async () => {
  const dataDir = temporaryDirectory();
  await expect(attach(path.join(dataDir, 'nothing'))).rejects.toThrow(
    /^There is no database in .*: run "npm start" first/,
  );
  const unfinished = path.join(dataDir, 'unfinished');
  mkdirSync(unfinished);
  writeFileSync(path.join(unfinished, 'superuser-password'), 'secret');
  await expect(attach(unfinished)).rejects.toThrow(/^There is no database in .*: run "npm start" first/);
});
