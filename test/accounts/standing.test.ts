import { expect, it } from 'vitest';
import { useConsole } from '../console/console.fixture.js';

const console = useConsole();
const WEBHOOK =
  'mutation { createWebhookEndpoint(environment: UAT, url: "https://receiver.example/hook") { endpoint { id } } }';
const KEY = 'mutation { createCredential(environment: UAT) { clientId } }';
const endpoints = () => console.test.db.query('select id from webhook_endpoint');

it('an account that nobody approved can neither plant a webhook nor make a key', async () => {
  const id = await console.applicant();
  const session = await console.userOf(id);
  expect(await console.codes(session, WEBHOOK)).toEqual(['ONBOARDING_INCOMPLETE']);
  expect(await console.codes(session, KEY)).toEqual(['ONBOARDING_INCOMPLETE']);
  expect(await endpoints()).toEqual([]);
});

it('a suspended account can neither plant a webhook nor make a key', async () => {
  const { id, keys } = await console.test.developer();
  const session = await console.userOf(id);
  await console.test.app.credentials.revoke(id, keys.uat.clientId, { actor: 'system:test', requestId: 'test' });
  await console.test.db.query('update developer set suspended_at = now() where id = $1', [id]);
  expect(await console.codes(session, WEBHOOK)).toEqual(['SUSPENDED']);
  expect(await console.codes(session, KEY)).toEqual(['SUSPENDED']);
  expect(await endpoints()).toEqual([]);
});
