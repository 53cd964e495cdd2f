import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/webhook-signature.js';
import { useConsole } from '../console/console.fixture.js';
import { type Receiver, startReceiver } from '../webhooks/receiver.fixture.js';
import { accountOf, createEndpoint, publicId, ROTATE, recharge } from '../webhooks/webhooks.fixture.js';
import { libraries, type RunningLibrary } from './libraries.fixture.js';

const on = useConsole();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());

const NOW_S = 1_900_000_000;
const body = JSON.stringify({ type: 'recharge.succeeded', timestamp: 'now', data: { client_request_id: 'क़ीमत ₹' } });
const [secret, other, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()].map((generated) =>
  generated.reveal(),
);
const signed = (secrets: string[], timestampS = NOW_S, text = body) =>
  signedHeaders(
    { id: 'msg_1', timestampS, body: text },
    secrets.map((value) => new Secret(value)),
  );

describe.each(libraries)('a webhook with the client library for %s', (_name, library, isHere) => {
  const itHere = it.runIf(isHere);
  let run: RunningLibrary;
  beforeAll(async () => {
    if (isHere)
      run = await library.start({ baseUrl: 'http://127.0.0.1', clientId: 'c', apiSecret: 's', environment: 'uat' });
  });
  afterAll(() => run?.close());
  const verify = async (headers: object, secrets: unknown, text = body, tolerance = 300, now = NOW_S) => {
    const { returned, thrown } = await run.call('verifyWebhook', text, headers, secrets, tolerance, now);
    return thrown ? thrown.type : returned.data.client_request_id;
  };
  const ID = 'क़ीमत ₹';

  itHere('is accepted if it is signed with one of the secrets, also during a rotation', async () => {
    expect(await verify(signed([secret!]), secret)).toBe(ID);
    for (const [signers, known] of [
      [[secret, other], secret],
      [[secret, other], other],
      [[secret], [other, secret]],
      [
        [secret, other],
        [third, other],
      ],
    ] as [string[], unknown][])
      expect(await verify(signed(signers), known)).toBe(ID);
    for (const age of [-299, 299]) expect(await verify(signed([secret!], NOW_S + age), secret)).toBe(ID);
  });

  const good = signed([secret!]);
  const { 'webhook-id': _, ...withoutId } = good;
  const { 'webhook-timestamp': __, ...withoutTime } = good;
  const { 'webhook-signature': ___, ...withoutSignature } = good;
  itHere.each([
    ['a different secret', good, other, body],
    ['no secret', good, [], body],
    ['a different body', good, secret, `${body} `],
    ['an old time', signed([secret!], NOW_S - 301), secret, body],
    ['a future time', signed([secret!], NOW_S + 301), secret, body],
    ['a different time', { ...good, 'webhook-timestamp': String(NOW_S + 1) }, secret, body],
    ['a different ID', { ...good, 'webhook-id': 'msg_2' }, secret, body],
    ['an invalid time', { ...good, 'webhook-timestamp': `${NOW_S}x` }, secret, body],
    ['no ID', withoutId, secret, body],
    ['no time', withoutTime, secret, body],
    ['no signature', withoutSignature, secret, body],
    ['an empty signature', { ...good, 'webhook-signature': '' }, secret, body],
    [
      'a signature of another version',
      { ...good, 'webhook-signature': good['webhook-signature']!.replace('v1', 'v1a') },
      secret,
      body,
    ],
    ['a truncated signature', { ...good, 'webhook-signature': good['webhook-signature']!.slice(0, -4) }, secret, body],
    ['no headers and no body', {}, secret, ''],
  ])('is rejected with %s', async (_case, headers, known, text) => {
    expect(await verify(headers, known, text)).toMatch(/^Webhook(Error|Exception)$/);
  });

  itHere('of the service is accepted before and after a rotation of its secret', async () => {
    const account = await accountOf(on);
    const endpoint = await createEndpoint(on, account, receiver.url);
    const countBefore = receiver.received.length;
    await recharge(on, account, { client_request_id: 'hook-1' });
    await receiver.has(countBefore + 1);
    const { body: rotated } = await on.call(account.session, ROTATE, { id: publicId(endpoint.id) });
    const newSecret = rotated.data.rotateWebhookSecret.secret;
    await recharge(on, account, { client_request_id: 'hook-2' });
    await receiver.has(countBefore + 2);
    const [first, second] = receiver.received.slice(countBefore);
    const verified = async (message: typeof first, known: unknown) => {
      const { id, timestampS, signatures, raw } = message!;
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestampS),
        'webhook-signature': signatures.join(' '),
      };
      return (await run.call('verifyWebhook', raw, headers, known)).returned?.data.client_request_id;
    };
    expect([
      await verified(first, endpoint.secret),
      await verified(second, endpoint.secret),
      await verified(second, newSecret),
      await verified(first, newSecret),
    ]).toEqual(['hook-1', 'hook-2', 'hook-2', undefined]);
  });
});
