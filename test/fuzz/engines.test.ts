import { expect, it } from 'vitest';
import { schemasByHost } from '../../src/graphql/schema.js';
import { useSharedApp } from '../support/use-app.js';
import { compareEngines } from './engines.js';

const test = useSharedApp();

it.each(['uat', 'console'] as const)(
  'compiled and interpreted, random operations of %s get the same answers',
  async (host) => {
    const { differences, compiled } = await compareEngines(host, schemasByHost(test.app.schema)[host], 20_261_122, 150);
    expect(differences).toEqual([]);
    expect(compiled).toBeGreaterThan(40);
  },
);
