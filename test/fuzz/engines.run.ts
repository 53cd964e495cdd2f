import { expect, test } from 'vitest';
import { surfaceOf } from '../../src/core/environment.js';
import { useSharedApp } from '../support/use-app.js';
import { compareEngines } from './engines.js';

const service = useSharedApp();
const seed = process.env.FUZZ_SEED ? Number(process.env.FUZZ_SEED) : Date.now() % 1_000_000_000;
const OPERATIONS = 10_000;

test.each(['uat', 'console'] as const)(
  'compiled and interpreted, 10,000 random operations of %s return the same results',
  async (host) => {
    const { operations, compiled, differences } = await compareEngines(
      host,
      service.app.schemas[surfaceOf(host)],
      seed,
      OPERATIONS,
    );
    console.log(
      `${host}: ${operations} operations, ${compiled} compiled, ${differences.length} differences; FUZZ_SEED=${seed}`,
    );
    expect(differences.slice(0, 3)).toEqual([]);
    expect(compiled).toBeGreaterThan(OPERATIONS / 3);
  },
);
