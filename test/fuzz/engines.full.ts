import { expect, it } from 'vitest';
import { surfaceOf } from '../../src/core/environment.js';
import { useSharedApp } from '../support/use-app.js';
import { compareEngines } from './engines.js';

const test = useSharedApp();

it.each(['uat', 'console'] as const)(
  'compiled and interpreted, random operations of %s return the same results',
  async (host) => {
    const schema = test.app.schemas[surfaceOf(host)];
    const { differences, compiled } = await compareEngines(host, schema, 20_261_123, 150);
    expect(differences).toEqual([]);
    expect(compiled).toBeGreaterThan(40);
  },
);
