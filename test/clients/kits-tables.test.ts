import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { IN_DOUBT, NOT_PAID, NOT_RECHARGED, REFUSED_FIRST, RETRYABLE } from '../../clients/node/recharge-gateway.mjs';
import { routes } from '../../src/rest/routes.js';
import { describeTables } from './kit-tables.fixture.js';

const ofNode = { NOT_RECHARGED, NOT_PAID, REFUSED_FIRST, IN_DOUBT, RETRYABLE };
// those of the kit for PHP are read by test/tools/php-kit.test.ts
describeTables('Node', (name) => ofNode[name]);

it.each(['clients/node/recharge-gateway.mts', 'clients/php/RechargeGateway.php'])(
  '%s is short enough to be read',
  (file) => {
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(405);
  },
);

it.each(['clients/node/recharge-gateway.mts', 'clients/php/RechargeGateway.php', 'docs/guide/services.md'])(
  '%s has every lookup',
  (file) => {
    const lookups = routes.map(({ path }) => path).filter((path) => path.startsWith('/api/v1/plan/'));
    expect(lookups.length).toBeGreaterThan(3);
    const text = readFileSync(file, 'utf8');
    expect(lookups.filter((path) => !text.includes(path))).toEqual([]);
  },
);
