import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { button, DIALOG, heading2, look, STAFF_PASSWORD, showFactor, usePortal } from '../e2e/portal.fixture.js';
import { codeBlocksOf } from '../support/guides.js';

const run = promisify(execFile);
const { on, visitor, asDeveloper, asOwner } = usePortal({ ALLOW_PRIVATE_WEBHOOKS: 'true' });

describe('the first API call shown with a new key', () => {
  it('works when pasted, in four languages, and is the same as in the guides', async () => {
    const maker = await on.test.developer();
    const { clientId, apiSecret } = maker.keys.uat;
    const owner = await visitor();
    const { page, go, end, context } = owner;
    await asDeveloper(context, maker.id);
    await go('/keys');
    const card = page.locator('.card', { hasText: clientId });
    const shown = async (way: string): Promise<string> => {
      await card.getByRole('button', { name: way, exact: true }).click();
      return (await card.locator('.code code').innerText()).replace('YOUR_SECRET', apiSecret);
    };
    const inTwo = async (way: string): Promise<string> => {
      const [exchange, use] = (await shown(way)).split('\n\n# with the token from the response\n');
      const { stdout } = await run('bash', ['-c', exchange!]);
      const [, token] = /"token":"([^"]+)"/.exec(stdout)!;
      return (await run('bash', ['-c', use!.replace('YOUR_TOKEN', token!)])).stdout;
    };
    expect(JSON.parse(await inTwo('curl'))).toMatchObject({ roles: ['developer'] });
    expect(JSON.parse(await inTwo('GraphQL'))).toEqual({ data: { wallet: { balance: 200_000, held: 0 } } });
    const node = await shown('Node.js');
    expect((await run(process.execPath, ['--input-type=module', '-e', node])).stdout).toContain(
      "roles: [ 'developer' ]",
    );
    const php = await shown('PHP');
    await look(owner, 'first-call');
    const values: Record<string, string> = {
      base_url: on.test.urls.uat,
      client_id: clientId,
      api_secret: apiSecret,
      environment: 'uat',
    };
    const inGuide = (language: string): string =>
      codeBlocksOf('docs/guide/start.md')
        .find((block) => block.language === language)!
        .code.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name]!)
        .trim();
    expect([node.trim(), php.trim()]).toEqual([inGuide('js'), inGuide('php')]);
    await end();
  });
});

describe('a key or webhook endpoint of a new user', () => {
  it('shows its start time, and an owner cancels it with the button on the page linked in the email', async () => {
    const maker = await on.test.developer({ rateLimitPerMinute: 1_000 });
    const owner = await visitor();
    const { page, go, end, context } = owner;
    await asDeveloper(context, maker.id);
    const session = await on.userOf(maker.id);
    const call = async (token: string | undefined, document: string, input: object) => {
      const { body } = await on.call(token, document, { input });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const email = 'newcomer@shop.example';
    const INVITE = 'mutation($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
    await call(session, INVITE, { email, name: 'New Person', role: 'DEVELOPER', teamRole: 'BUILDER' });
    const [, token] = /#token=([0-9a-f]{64})/.exec((await on.emailsTo(email, 1))[0]!)!;
    const JOIN =
      'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { id } } } }';
    await call(undefined, JOIN, { token, password: STAFF_PASSWORD });
    const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
    const newcomer = (await call(undefined, SIGN_IN, { email, password: STAFF_PASSWORD })).signIn.token;
    const CREATE =
      'mutation($input: CreateCredentialInput!) { createCredential(input: $input) { credential { clientId } } }';
    const made = await call(newcomer, CREATE, { environment: 'PRODUCTION', label: 'The till' });
    const { clientId } = made.createCredential.credential;
    const HOOK =
      'mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }';
    const hook = await call(newcomer, HOOK, { environment: 'PRODUCTION', url: 'http://127.0.0.1:9/' });
    const endpointId = hook.createWebhookEndpoint.endpoint.id;
    const isRevoked = async () =>
      (await on.test.db.query('select revoked_at from credential where client_id = $1', [clientId]))[0]!.revoked_at !==
      null;

    await go('/keys');
    const card = page.locator('.key', { hasText: clientId });
    await card.getByText('Starts at').waitFor();
    await card.getByRole('button', { name: 'Cancel' }).waitFor();
    await look(owner, 'key-waits');
    await go(`/keys/cancel?key=${clientId}`);
    await page.getByText('Not started').waitFor();
    await look(owner, 'key-cancel');
    expect(await isRevoked()).toBe(false);
    await button(page, 'Cancel').click();
    await button(page, 'Cancel the API key').click();
    await page.getByText('Cancelled').first().waitFor();
    expect(await isRevoked()).toBe(true);
    expect(await button(page, 'Cancel').count()).toBe(0);

    await go('/webhooks?environment=PRODUCTION');
    await page.getByText('Starts at').waitFor();
    await look(owner, 'endpoint-waits');
    await go(`/webhooks/cancel?endpoint=${endpointId}`);
    await page.getByText('Not started').waitFor();
    await look(owner, 'endpoint-cancel');
    await button(page, 'Cancel').click();
    await button(page, 'Cancel the webhook endpoint').click();
    await page.getByText('Cancelled').first().waitFor();
    await page.waitForURL(/\/webhooks(\?|$)/);
    const left = await on.test.db.query('select from webhook_endpoint where id = $1', [endpointId.slice(4)]);
    expect(left).toEqual([]);
    await end();
  });
});

describe('an API key', () => {
  const stateOf = (clientId: string) =>
    on.test.db.query(
      `select c.revoked_at is not null as "isRevoked", (select count(*)::int from webhook_endpoint e where e.developer_id = c.developer_id and e.disabled_at is null) as on
       from credential c where client_id = $1`,
      [clientId],
    );

  it('with webhook endpoints is revoked after its owner has chosen what happens to them, and rotated without downtime', async () => {
    const maker = await on.test.developer({ rateLimitPerMinute: 1_000 });
    const { clientId } = maker.keys.uat;
    const made = await on.test.rest('uat', 'POST', '/api/v1/webhooks', maker.tokens.uat, {
      url: 'http://127.0.0.1:9/',
    });
    expect(made.status).toBe(200);
    const owner = await visitor();
    const { page, go, end, context } = owner;
    await asDeveloper(context, maker.id);
    await go('/security');
    await page.getByRole('link', { name: 'API keys' }).first().click();
    const card = page.locator('.key', { hasText: clientId });
    const dialog = page.locator(DIALOG);
    await card.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('radio', { name: /^Now/ }).check();
    await look(owner, 'key-rotate');
    await button(page, 'Create new API key').click();
    await heading2(page, 'Save your secret').waitFor();
    // The secret can be neither covered nor closed by accident.
    await page.keyboard.press('Control+k');
    await page.goBack();
    await heading2(page, 'Leave without saving?').waitFor();
    expect(await page.locator('.palette').count()).toBe(0);
    await look(owner, 'secret-leave');
    await button(page, 'Stay').click();
    const leaveDialog = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    await (await leaveDialog).dismiss();
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await card.waitFor({ state: 'detached' });
    // The endpoint now belongs to the new key.
    const newId = (await page.locator('.key .value code').first().innerText()).trim();
    const successor = page.locator('.key', { hasText: newId });
    const create = button(page, 'Create API key').first();
    await create.click();
    await button(page, 'Create API key').click();
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await page.getByText('Limit of two API keys reached.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await look(owner, 'keys-full');
    await successor.getByRole('button', { name: 'Revoke' }).click();
    await button(page, 'Revoke API key').click();
    await dialog
      .getByText('This API key created webhook endpoints that are enabled. Choose whether to keep or disable them.')
      .waitFor();
    await look(owner, 'key-revoke');
    expect(await stateOf(newId)).toEqual([{ isRevoked: false, on: 1 }]);
    await dialog.getByRole('radio', { name: /^Disable/ }).check();
    await button(page, 'Revoke API key').click();
    await page
      .getByText(/ revoked$/)
      .first()
      .waitFor();
    await page.locator('h1:focus').waitFor();
    await page.getByText('Limit of two API keys reached.').waitFor({ state: 'detached' });
    expect(await create.isDisabled()).toBe(false);
    expect(await stateOf(newId)).toEqual([{ isRevoked: true, on: 0 }]);
    await end();
  });
});

describe('a key and an endpoint, long after the second factor was verified', () => {
  it('are created automatically after the verification, with the typed values', async () => {
    const maker = await on.test.developer();
    const owner = await visitor();
    const { page, go, end, context } = owner;
    const { secret, later } = await asOwner(context, maker.id);
    const dialog = page.locator(DIALOG);
    await later();
    await go('/keys');
    await button(page, 'Create API key').first().click();
    await dialog.getByLabel('Name of the API key').fill('Night server');
    await button(page, 'Create API key').click();
    await heading2(page, 'Verify your second factor').waitFor();
    await look(owner, 'key-step-up');
    // Closed without verification: nothing was created, and the input is still there.
    await page.keyboard.press('Escape');
    await dialog.getByText('Verify your second factor').first().waitFor();
    expect(await dialog.getByLabel('Name of the API key').inputValue()).toBe('Night server');
    const labels = () =>
      on.test.db.query('select label from credential where developer_id = $1 and label is not null', [maker.id]);
    expect(await labels()).toEqual([]);
    await button(page, 'Create API key').click();
    await showFactor(page, secret);
    await heading2(page, 'Save your secret').waitFor();
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    expect(await labels()).toEqual([{ label: 'Night server' }]);

    await later();
    await go('/webhooks');
    await button(page, 'Create endpoint').click();
    await dialog.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/step-up');
    await button(page, 'Create endpoint').click();
    await showFactor(page, secret);
    await heading2(page, 'Save your secret').waitFor();
    await dialog.getByLabel('I have saved the secret').check();
    await button(page, 'Done').click();
    await page.getByText('http://127.0.0.1:9/step-up').waitFor();

    await later();
    await go('/security');
    await button(page, 'Change…').click();
    await dialog.getByLabel('New email address').fill('anil.new@shop.example');
    await dialog.getByLabel('Current password').fill(STAFF_PASSWORD);
    await button(page, 'Send link').click();
    await showFactor(page, secret);
    await page.getByText('Link sent.').waitFor();
    expect((await on.emailsTo('anil.new@shop.example', 1))[0]).toContain('/confirm-email#token=');
    await end();
  });
});
