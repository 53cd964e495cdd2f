import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
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

/** Suffixes that public DNS never delegates (RFC 6761, 6762, 8375 and ICANN), and the ones that private networks use by custom. */
const INTERNAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
] as const;

/**
 * Whether the host part of a URL names a machine inside a private network: a single label, such as `localhost` or `valkey`, which a
 * search domain completes, or a suffix that exists in private networks only. An address is no name.
 */
export function isInternalName(hostname: string): boolean {
  if (addressOfHost(hostname) !== undefined) return false;
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

const RESOLVE_TIMEOUT_MS = 1_000;

/** The addresses that DNS has for a name; none when the name does not resolve in a second. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/** Queries DNS over sockets: `dns.lookup` would occupy one of the four threads of the process for as long as a name server hangs. */
export const resolveName: ResolveName = async (hostname) => {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
};

/**
 * Whether an endpoint at this host may be registered. A name that does not resolve now may: it can be created in DNS later, and every
 * connection is checked again by `publicLookup`.
 */
export async function isPublicHost(hostname: string, resolve: ResolveName = resolveName): Promise<boolean> {
  const address = addressOfHost(hostname);
  if (address !== undefined) return isPublicAddress(address);
  return !isInternalName(hostname) && (await resolve(hostname)).every(isPublicAddress);
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
