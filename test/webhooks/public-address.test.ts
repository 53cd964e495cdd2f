import type { LookupAddress, lookup as systemLookup } from 'node:dns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress, isPublicHost, publicLookup } from '../../src/webhooks/public-address.js';
import { WebhookSender } from '../../src/webhooks/webhook-sender.js';
import { type Receiver, startReceiver } from './receiver.fixture.js';

/** A test name server that resolves every name to these addresses. */
const resolvingTo = (...addresses: string[]): typeof systemLookup =>
  ((_name: string, _options: object, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never;

describe('public addresses', () => {
  it.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0.0.0.0', '::']],
    ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1']],
    ['link-local and metadata', ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254']],
    [
      'shared, documentation, benchmark',
      ['100.64.0.1', '192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.9'],
    ],
    ['multicast, reserved, broadcast', ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', 'ff02::1']],
    [
      'mapped, translated, tunnelled',
      [
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '::ffff:8.8.8.8',
        '::127.0.0.1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::',
        '2001::1',
        '2001:db8::1',
        '3fff::1',
      ],
    ],
    ['an invalid address', ['', 'localhost', '127.1', '2130706433', '1.2.3', '1.2.3.4.5', 'example.com']],
  ])('exclude %s', (_name, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it('include hosts on the internet', () => {
    const hosts = [
      '8.8.8.8',
      '1.1.1.1',
      '100.63.255.255',
      '172.15.0.1',
      '172.32.0.1',
      '192.169.0.1',
      '223.255.255.254',
      '2606:4700::1111',
      '2a00:1450::1',
    ];
    expect(hosts.filter((host) => !isPublicAddress(host))).toEqual([]);
  });

  it('are returned exactly as checked, and not at all if one of them is private', async () => {
    const look = (resolve: typeof systemLookup, all: boolean) =>
      new Promise((done) =>
        publicLookup(resolve)('name.test', { all }, (error, found) => done(error?.message ?? found)),
      );
    expect(await look(resolvingTo('8.8.8.8', '2606:4700::1111'), true)).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    expect(await look(resolvingTo('8.8.8.8'), false)).toBe('8.8.8.8');
    expect(await look(resolvingTo('8.8.8.8', '127.0.0.1'), true)).toMatch(/not on the public internet/);
    expect(await look(resolvingTo(), true)).toMatch(/not on the public internet/);
  });

  it('are resolved once per connection, so that the checked address is used', async () => {
    let lookupCount = 0;
    const rebinding: typeof systemLookup = ((name: string, options: object, callback: never) =>
      resolvingTo(lookupCount++ === 0 ? '8.8.8.8' : '127.0.0.1')(name, options as never, callback)) as never;
    const guarded = publicLookup(rebinding);
    const look = () =>
      new Promise((done) => guarded('rebind.test', { all: true }, (error, found) => done(error?.message ?? found)));
    expect(await look()).toEqual([{ address: '8.8.8.8', family: 4 }]);
    expect(lookupCount).toBe(1);
    expect(await look()).toMatch(/not on the public internet/);
    expect(lookupCount).toBe(2);
  });
});

describe('the host of a new endpoint', () => {
  const accepted = (url: string, ...addresses: string[]) => isPublicHost(new URL(url).hostname, async () => addresses);

  it.each([
    'https://localhost/',
    'https://LOCALHOST./',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://valkey:6379/',
    'https://gateway.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://db.corp.internal./',
    'https://nas.lan/',
    'https://router.home.arpa/',
    'https://db.gateway.svc/',
  ])('cannot be the internal name %s, regardless of its address', async (url) => {
    expect(await accepted(url)).toBe(false);
    expect(await accepted(url, '8.8.8.8')).toBe(false);
  });

  it.each([
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/',
  ])('cannot be the address %s', async (url) => expect(await accepted(url)).toBe(false));

  it('must not resolve to a private address, but does not have to resolve', async () => {
    expect(await accepted('https://10.0.0.1.nip.example/', '10.0.0.1')).toBe(false);
    expect(await accepted('https://shop.example/', '8.8.8.8', '::1')).toBe(false);
    expect(await accepted('https://shop.example/', '8.8.8.8', '2606:4700::1111')).toBe(true);
    expect(await accepted('https://internal.shop.example/', '8.8.8.8')).toBe(true);
    expect(await accepted('https://later.shop.example/')).toBe(true);
  });
});

describe('the sender', () => {
  let receiver: Receiver;
  const senders: WebhookSender[] = [];
  const sender = (options: ConstructorParameters<typeof WebhookSender>[0]): WebhookSender => {
    const webhookSender = new WebhookSender(options);
    senders.push(webhookSender);
    return webhookSender;
  };
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((running) => running.close()));
  });
  afterAll(() => receiver.close());

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '10.0.0.5',
    '172.20.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '[fe80::1]',
    'localhost',
    'LOCALHOST',
  ])('never connects to %s', async (host) => {
    const { port, pathname } = new URL(receiver.url);
    const connectionsBefore = receiver.connections();
    const strict = sender({ allowPrivate: false });
    const post = (scheme: string) => strict.post(`${scheme}://${host}:${port}${pathname}`, {}, '{}');
    expect(await post('https')).toMatchObject({ kind: 'failed', error: 'address_not_public' });
    expect(await post('http')).toMatchObject({ kind: 'failed', error: 'not_https' });
    expect(receiver.connections()).toBe(connectionsBefore);
  });

  it('does not follow redirects', async () => {
    receiver.react((response) => response.writeHead(307, { location: receiver.url }).end());
    const countBefore = receiver.received.length;
    expect(await sender({ allowPrivate: true }).post(receiver.url, {}, '{}')).toMatchObject({
      kind: 'answered',
      httpStatus: 307,
    });
    expect(receiver.received).toHaveLength(countBefore + 1);
  });

  it('uses the status and does not read an endless response', async () => {
    receiver.react((response) => {
      response.writeHead(200);
      const flood = setInterval(() => response.write('x'.repeat(64_000)), 1);
      response.on('close', () => clearInterval(flood));
    });
    const started = Date.now();
    const webhookSender = sender({ allowPrivate: true, timeoutMs: 60_000 });
    expect(await webhookSender.post(receiver.url, {}, '{}')).toMatchObject({ kind: 'answered', httpStatus: 200 });
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  it('reports the cause of a failure', async () => {
    const { port } = new URL(receiver.url);
    const shortTimeout = sender({ allowPrivate: true, timeoutMs: 300 });
    receiver.react('hang');
    expect(await shortTimeout.post(receiver.url, {}, '{}')).toMatchObject({ kind: 'failed', error: 'timeout' });
    const webhookSender = sender({ allowPrivate: true, timeoutMs: 30_000 });
    expect(await webhookSender.post(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({
      kind: 'failed',
      error: 'tls_failed',
    });
    expect(await webhookSender.post('http://127.0.0.1:1/', {}, '{}')).toMatchObject({
      kind: 'failed',
      error: 'connection_failed',
    });
    expect(await webhookSender.post('http://no-such-host.invalid/', {}, '{}')).toMatchObject({ kind: 'failed' });
    receiver.react((response) => response.destroy());
    expect(await webhookSender.post(receiver.url, {}, '{}')).toMatchObject({
      kind: 'failed',
      error: 'connection_failed',
    });
    receiver.react('hang');
    const cut = webhookSender.post(receiver.url, {}, '{}');
    await webhookSender.close();
    expect(await cut).toMatchObject({ kind: 'failed', error: 'interrupted' });
  });
});
