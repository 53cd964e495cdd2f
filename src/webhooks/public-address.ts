import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

/**
 * Networks that are not on the public internet (IANA special-purpose registries): loopback, private, link-local (including cloud
 * metadata services), shared, documentation, benchmarking, relays, multicast, reserved.
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

/** Only IPv6 range assigned to hosts. Mapped, translated, local and loopback addresses are outside of it. */
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

/** Whether an IP address may be called. Accepts every notation that `net.isIP` accepts. Any other text is rejected. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
}

/** Returns the host of a URL if it is an IP address: `[::1]` → `::1`. The URL parser has already normalized unusual notations. */
export function addressOfHost(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Suffixes that public DNS never delegates (RFC 6761, 6762, 8375 and ICANN), and suffixes that private networks commonly use. */
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
 * Whether the host of a URL is the name of a host in a private network. Such a name is a single label such as `localhost` or
 * `valkey`, which a search domain completes, or has a suffix used only in private networks. IP addresses are not names.
 */
export function isInternalName(hostname: string): boolean {
  if (addressOfHost(hostname) !== undefined) return false;
  const name = hostname.toLowerCase().replace(/\.+$/, '');
  return !name.includes('.') || INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

const RESOLVE_TIMEOUT_MS = 1_000;

/** Resolves a host name to its addresses. The result is empty if the name does not resolve within one second. */
export type ResolveName = (hostname: string) => Promise<string[]>;

/**
 * Queries DNS over sockets. `dns.lookup` would occupy one of the four threads of the process while a name server does not
 * respond.
 */
export const resolveName: ResolveName = async (hostname) => {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 1 });
  const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};

/**
 * Whether an endpoint with this host can be registered. A name that does not resolve is allowed, because it can be added to DNS
 * later, and `publicLookup` checks every connection.
 */
export async function isPublicHost(hostname: string, resolve: ResolveName = resolveName): Promise<boolean> {
  const address = addressOfHost(hostname);
  if (address !== undefined) return isPublicAddress(address);
  return !isInternalName(hostname) && (await resolve(hostname)).every(isPublicAddress);
}

export class AddressNotPublic extends Error {
  readonly code = 'ADDRESS_NOT_PUBLIC';
  constructor() {
    super('The address is not on the public internet.');
  }
}

/**
 * Creates a lookup for `net.connect` that returns only public addresses. The connection uses the checked addresses, so a name
 * that later resolves differently has no effect. A name is rejected if any of its addresses is not public.
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
