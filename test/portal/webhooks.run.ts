import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { button, DIALOG, heading, heading2, look, usePortal } from '../e2e/portal.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { until } from '../support/until.js';
import { isSignedWith, startReceiver } from '../webhooks/receiver.fixture.js';
import { createEndpoint } from '../webhooks/webhooks.fixture.js';

const { on, visitor, asStaff, asDeveloper } = usePortal({ ALLOW_PRIVATE_WEBHOOKS: 'true' });

let shop: TestDeveloper;
beforeAll(async () => {
  shop = await on.test.developer({ rateLimitPerMinute: 1_000 });
});

describe('webhook endpoints', () => {
  it('are created, tested, disabled and removed, and a delivery shows its attempts and is resent', async () => {
    const owner = await visitor();
    const { page, go, end } = owner;
    await asDeveloper(owner.context, shop.id);
    const receiver = await startReceiver('/hooks');
    receiver.react(500);
    await go('/webhooks?environment=PRODUCTION');
    await page.getByText('No webhook endpoints in Production.').waitFor();
    await button(page, 'Create endpoint').click();
    const dialog = page.locator(DIALOG);
    await dialog.getByLabel('Endpoint URL').fill('ftp://nowhere');
    await button(page, 'Create endpoint').click();
    await dialog.locator('.field-error').waitFor();
    await dialog.getByLabel('Endpoint URL').fill(receiver.url);
    await dialog.getByLabel('Card bill failed').uncheck();
    await button(page, 'Create endpoint').click();
    await heading2(page, 'Save your secret').waitFor();
    const secret = await dialog.locator('.value code').innerText();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await page.getByText(receiver.url).waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByText('Recharge reversed, Card bill paid').waitFor();

    await button(page, 'Send test event').click();
    await dialog.getByText('Endpoint returned an error').waitFor();
    expect(await dialog.locator('pre').innerText()).toContain('"type": "test.sent"');
    const [message] = await receiver.has(1);
    expect(isSignedWith(secret, message!)).toBe(true);
    // The list in the background is refreshed first, then the drawer.
    receiver.react((response) => setTimeout(() => response.writeHead(200).end(), 200));
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'WebhookDeliveries') await sleep(500);
      await route.continue();
    });
    await button(page, 'Resend').click();
    await dialog.locator('li[data-tone="good"]').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    expect(new Set((await receiver.has(2)).map(({ id }) => id)).size).toBe(1);
    await look(owner, 'delivery');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A delivery about an order links to it, and back.
    await place(on.test, shop, { client_request_id: 'posted' });
    await until('the event is delivered', async () =>
      receiver.received.some(({ body }) => body.type === 'recharge.succeeded'),
    );
    await page.reload();
    await page.getByRole('link', { name: 'Recharge succeeded' }).click();
    await dialog.getByRole('link', { name: 'Show order' }).click();
    await heading2(page, 'Order').waitFor();
    await dialog.getByRole('link', { name: 'Recharge succeeded' }).click();
    await heading2(page, 'Delivery').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await look(owner, 'deliveries');
    await page.getByLabel('Event').selectOption('Recharge succeeded');
    await until('one delivery is left', async () => (await page.locator('tbody tr').count()) === 1);
    await button(page, 'Failed').click();
    await page.getByText('No results.').waitFor();

    await go('/webhooks?environment=PRODUCTION');
    await look(owner, 'webhooks');
    await button(page, 'Redeliver').click();
    await heading2(page, 'Redeliver events').waitFor();
    await look(owner, 'redeliver');
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Redelivering 0 events').waitFor();
    const before = receiver.received.length;
    await button(page, 'Redeliver').click();
    await dialog.getByLabel('Include delivered events').check();
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('Redelivering 2 events').waitFor();
    await receiver.has(before + 2);
    await button(page, 'Disable').click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('by a user').waitFor();
    await button(page, 'Enable').click();
    await page.getByText('Endpoint enabled.').waitFor();
    await button(page, 'Delete').click();
    const { host } = new URL(receiver.url);
    const really = dialog.getByRole('button', { name: `Delete ${host}` });
    expect(await really.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${host} to confirm`).fill(host);
    await really.click();
    await page.getByText('No webhook endpoints in Production.').waitFor();
    await page.locator('h1:focus').waitFor();
    await end();
    await receiver.close();
  });
});

describe('failed webhook deliveries', () => {
  it('of all accounts are in the work list, and are resent by permitted users', async () => {
    const receiver = await startReceiver('/given-up');
    await createEndpoint(on, { developer: shop, session: await on.userOf(shop.id) }, receiver.url);
    await place(on.test, shop, { client_request_id: 'given up' });
    const DELIVERED = `update webhook_delivery set state = 'failed' where state = 'delivered' returning developer_id`;
    // As if nothing had arrived.
    await until('the event is delivered', async () => (await on.test.db.query(DELIVERED)).length === 1);
    const seen = await visitor();
    const { page, go, end } = seen;
    await asStaff(seen.context);
    await go('/');
    await page.locator('.work', { hasText: 'Failed deliveries' }).getByRole('link', { name: 'Open' }).click();
    await heading(page, 'Failed deliveries').waitFor();
    await page.waitForURL(/environment=PRODUCTION/);
    const row = page.locator('tbody tr');
    await row.waitFor();
    const [{ name }] = (await on.test.db.query('select name from developer where id = $1', [shop.id])) as [
      { name: string },
    ];
    expect(await row.innerText()).toMatch(new RegExp(`${name}[^]*Recharge succeeded[^]*Failed`));
    await look(seen, 'given-up');
    await row.getByRole('link').click();
    const drawer = page.locator('.drawer');
    await drawer.getByRole('link', { name: 'Webhooks of the account' }).waitFor();
    await look(seen, 'given-up-open');
    await button(page, 'Resend').click();
    await drawer.locator('.badge', { hasText: 'Delivered' }).waitFor();
    await receiver.has(2);
    await page.keyboard.press('Escape');
    await page.getByText('No failed deliveries in this environment.').waitFor();
    await end();

    await on.test.db.query(DELIVERED);
    const support = await visitor(360);
    await asStaff(support.context, 'support');
    await support.go('/webhooks/deliveries?environment=PRODUCTION');
    await support.page.getByRole('link', { name: 'Recharge succeeded' }).click();
    await support.page.getByRole('link', { name: 'Show order' }).waitFor();
    expect(await button(support.page, 'Resend').count()).toBe(0);
    await support.end();
    await receiver.close();
  });
});

describe('a webhook endpoint', () => {
  it('gets a new secret and other events', async () => {
    const developer = await on.test.developer();
    const { id, secret } = await createEndpoint(
      on,
      { developer, session: await on.userOf(developer.id) },
      'http://127.0.0.1:9/hook',
      'uat',
    );
    const stored = async () =>
      (
        await on.test.db.query('select types, secret, previous_secret former from webhook_endpoint where id = $1', [id])
      )[0]!;
    const before = await stored();
    const owner = await visitor();
    const { page, go, end } = owner;
    await asDeveloper(owner.context, developer.id);
    const dialog = page.getByRole('dialog');
    await go('/webhooks');
    await button(page, 'Events').click();
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.uncheck();
    await dialog.getByText('Select at least one event.').waitFor();
    await look(owner, 'no-events');
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.check();
    await dialog.getByText('Select at least one event.').waitFor({ state: 'detached' });
    await dialog.getByLabel('Recharge reversed').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Subscribed events changed').first().waitFor();
    const { types } = await stored();
    expect([types.includes('recharge.reversed'), types.includes('recharge.succeeded')]).toEqual([false, true]);
    await button(page, 'Rotate secret').click();
    await dialog.getByRole('button', { name: 'Create new secret' }).click();
    const shown = await dialog.locator('.value code').innerText();
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await page.getByText('valid until').waitFor();
    const after = await stored();
    expect(shown).not.toBe(secret);
    // Both secrets sign for a day.
    expect([before.former, after.former === null, after.secret.equals(before.secret)]).toEqual([null, false, false]);
    await end();
  });
});
