import { lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/**
 * What stands for no host on the public internet (IANA special-purpose registries): loopback, private, link-local with the
 * clouds' metadata services, shared, documentation, benchmarks, relays, multicast, reserved.
 */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

/** Of IPv6 only this is assigned to hosts; mapped, translated, local and loopback addresses all lie outside it. */
const GLOBAL_V6 = ['2000::', 3] as const;
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [network, bits] of NOT_PUBLIC_V4) notPublic.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of NOT_PUBLIC_V6) notPublic.addSubnet(network, bits, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet(...GLOBAL_V6, 'ipv6');

/** Whether an IP address, in any spelling that `net.isIP` takes, may be called. Anything else is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** The host part of a URL as an address, when it is one: `[::1]` → `::1`. The URL parser has resolved odd spellings already. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

export class AddressNotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  constructor() {
    super('The address is not one of the public internet.');
  }
}

/**
 * A lookup for `net.connect` that gives out public addresses only. The addresses it checks are the very ones that are connected
 * to, so a name that resolves differently a moment later changes nothing. One address that is not public refuses them all.
 */
export function publicLookup(resolve: typeof systemLookup = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const first = addresses[0];
      if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new AddressNotPublic(), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
