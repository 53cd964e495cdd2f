import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { IN_DOUBT, NOT_PAID, NOT_RECHARGED, REFUSED_FIRST, RETRYABLE } from '../../clients/node/recharge-gateway.mjs';
import { describeTables } from './kit-tables.fixture.js';

const nodeTables = { NOT_RECHARGED, NOT_PAID, REFUSED_FIRST, IN_DOUBT, RETRYABLE };
// the tables of the PHP client library are checked by test/tools/php-kit.test.ts
describeTables('Node', (name) => nodeTables[name]);

it.each(['clients/node/recharge-gateway.mts', 'clients/php/RechargeGateway.php'])(
  '%s is short enough to be read',
  (file) => {
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(405);
  },
);
