import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.js';
import { place } from '../support/recharges.js';
import { useSharedApp } from '../support/use-app.js';
import { growOrders, rowBytes } from './growth.fixture.js';

const test = useSharedApp();

it('orders of the growth fixture have rows as long as those of recharges over the API', async () => {
  const developer = await test.developer();
  for (let n = 0; n < 20; n++) {
    const { body } = await place(test, developer, {
      client_request_id: `order key ${n}`,
      account_number: `98765432${55 + n}`,
    });
    expect(body.status).toBe('success');
  }
  const live = await rowBytes(test.db, [developer.id]);
  const grown = await createTestDatabase();
  try {
    await growOrders(grown, 100);
    const developers = await grown.query<{ id: string }>('select developer_id as id from wallet');
    const bytes = await rowBytes(
      grown,
      developers.map(({ id }) => id),
    );
    for (const [table, size] of Object.entries(live)) {
      expect(bytes[table]! / size, `${table}: ${bytes[table]} bytes per order, ${size} of a live one`).toBeGreaterThan(
        0.95,
      );
      expect(bytes[table]! / size, `${table}: ${bytes[table]} bytes per order, ${size} of a live one`).toBeLessThan(
        1.05,
      );
    }
  } finally {
    await grown.drop();
  }
});
