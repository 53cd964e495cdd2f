import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { addressKey, proxyTrust } from '../../src/core/addresses.js';
import { CALLBACK_SECRET, testEnvironment } from '../support/app.js';
import { NAMES, ROUNDPAY_ADDRESS, useAppBehindProxy } from './behind-proxy.fixture.js';

const TOKENS = '/api/v1/auth/client-credentials';
const lines: string[] = [];

const test = useAppBehindProxy((line) => lines.push(line));

const exchange = async (forwardedFor: string, clientId = 'cid_uat_nobody') => {
  const response = await test.app.hosts.get('uat')!.inject({
    method: 'POST',
    url: TOKENS,
    headers: { host: NAMES.uat, 'x-forwarded-for': forwardedFor },
    payload: { client_id: clientId, api_secret: 'wrong', environment: 'uat' },
  });
  return [response.statusCode, response.json().code];
};
const callback = async (forwardedFor: string) => {
  const response = await test.app.hosts.get('production')!.inject({
    url: '/callbacks/roundpay?agentid=nothing',
    headers: { host: NAMES.production, 'x-callback-secret': CALLBACK_SECRET, 'x-forwarded-for': forwardedFor },
  });
  return response.statusCode;
};

describe('behind one proxy', () => {
  it('a client that sends X-Forwarded-For is still throttled by its own address', async () => {
    const responses = [];
    for (let n = 0; n < 12; n++) responses.push(await exchange(`9.9.9.${n}, 198.51.100.1`, 'cid_uat_forged'));
    expect(responses.filter(([status]) => status === 401)).toHaveLength(10);
    expect(responses.at(-1)).toEqual([429, 'TOO_MANY_FAILED_EXCHANGES']);
  });

  it('a client cannot use up the attempts of another', async () => {
    for (let n = 0; n < 12; n++) await exchange('203.0.113.99, 198.51.100.2', 'cid_uat_victim');
    expect(await exchange('203.0.113.99', 'cid_uat_victim')).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  it('all addresses of an IPv6 /64 network are one client', async () => {
    const responses = [];
    for (let n = 0; n < 11; n++) responses.push(await exchange(`2001:db8:1:2:${n}::${n}`, 'cid_uat_v6'));
    expect(responses.at(-1)).toEqual([429, 'TOO_MANY_FAILED_EXCHANGES']);
    expect(await exchange('2001:db8:1:3::1', 'cid_uat_v6')).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  it('callbacks are accepted or rejected by the address that the proxy saw', async () => {
    expect(await callback(ROUNDPAY_ADDRESS)).toBe(200);
    expect(await callback(`${ROUNDPAY_ADDRESS}, 198.51.100.3`)).toBe(401);
    expect(await callback('no address')).toBe(401);
  });

  it('the request log contains the address, for the investigation of an attack', async () => {
    await exchange('9.9.9.9, 198.51.100.77', 'cid_uat_logged');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ msg: 'request', path: TOKENS, address: '198.51.100.77', httpStatus: 401 }),
    );
  });
});

describe('TRUST_PROXY', () => {
  const problemOf = (text: string): string => {
    try {
      loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), TRUST_PROXY: text });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('rejects "true", with an error that names valid values', () => {
    expect(problemOf('true')).toContain(
      'TRUST_PROXY: must not be "true", because clients could then choose their address. Set the number of proxies in front (1), or their addresses and networks',
    );
  });

  it.each(['11', '-1', 'yes', '10.0.0.0/33', 'loopback,somewhere', '1,2'])('rejects %s', (text) => {
    expect(problemOf(text)).toContain('TRUST_PROXY: must be ');
  });

  it.each([
    ['2', '8.8.8.8', 1, true],
    ['2', '8.8.8.8', 2, false],
    ['10.0.0.0/8,2001:db8::/32', '10.1.2.3', 0, true],
    ['10.0.0.0/8, 2001:db8::/32', '2001:db8::9', 5, true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', 0, true],
    ['10.0.0.0/8', '11.1.2.3', 0, false],
    ['10.0.0.0/8', 'unknown', 0, false],
    ['loopback', '127.0.0.1', 0, true],
    ['uniquelocal', '192.168.3.4', 0, true],
    ['linklocal', '192.168.3.4', 0, false],
  ])('of %s trusts %s at hop %d: %s', (text, address, hop, trusted) => {
    expect(proxyTrust(text)!(address, hop)).toBe(trusted);
  });

  it.each(['', '0', 'false'])('of "%s" trusts no proxy', (text) => {
    expect(proxyTrust(text)).toBeUndefined();
  });
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['somebody', 'unknown'],
  ['', 'unknown'],
])('limits identify the address %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
