import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;

/**
 * What a limit per address counts by: an IPv4 address as it is, in its IPv6 spelling too (::ffff:203.0.113.7), and of an IPv6
 * address its network of 64 bits, because the rest is the client's own to choose. Texts that are no address share one key.
 */
export function addressKey(address: string): string {
  if (isIPv4(address)) return address;
  const [bare = ''] = address.split('%', 1); // without the zone of a link-local address
  if (!isIPv6(bare)) return 'unknown';
  const groups = groupsOf(bare);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  const network = groups.slice(0, GROUPS / 2).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** Of the key of an IPv6 address its network of 48 bits, in which networks of 64 bits may be one customer's; of others undefined. */
export function wideNetworkOf(key: string): string | undefined {
  return key.endsWith('::/64') ? `${key.split(':', 3).join(':')}::/48` : undefined;
}

/**
 * The key of an address (`addressKey`), and those of the IPv6 networks of 56 and 48 bits around it: a home line often has 256 networks
 * of 64 bits, a small company 65,536.
 */
export function networksOf(key: string): string[] {
  if (!key.endsWith('::/64')) return [key];
  const [a, b, c, d] = key.slice(0, -'::/64'.length).split(':');
  const upperByte = (Number.parseInt(d!, 16) & 0xff00).toString(16);
  return [key, `${a}:${b}:${c}:${upperByte}::/56`, `${a}:${b}:${c}::/48`];
}

/** The eight numbers of an IPv6 address in any of its spellings. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.replace(/[\d.]+$/, hexOfDotted).split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = numbers(head);
  const last = numbers(tail ?? '');
  return [...first, ...Array.from({ length: GROUPS - first.length - last.length }, () => 0), ...last];
}

/** An IPv4 address at the end of an IPv6 one, as two groups; anything else as it is. */
function hexOfDotted(text: string): string {
  const [a, b, c, d] = text.split('.').map(Number);
  return d === undefined ? text : `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d).toString(16)}`;
}

/** Addresses that something is taken from; an empty list takes everything. */
export class AddressList {
  readonly #list = new BlockList();
  readonly #empty: boolean;

  /** @param entries addresses and networks such as "203.0.113.7", "10.0.0.0/8", "2001:db8::/32". Errors: RangeError, without the entry. */
  constructor(entries: readonly string[]) {
    this.#empty = entries.length === 0;
    for (const entry of entries) {
      const [address = '', bits, ...rest] = entry.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      const widest = family === 'ipv6' ? 128 : 32;
      const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
      if (isIP(address) === 0 || rest.length > 0 || !(prefix >= 0 && prefix <= widest))
        throw new RangeError('must be IP addresses or networks');
      this.#list.addSubnet(address, prefix, family);
    }
  }

  /** An IPv4 address in its IPv6 spelling (::ffff:203.0.113.7) counts as what it is. */
  takes(address: string): boolean {
    return this.#empty || this.#list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** Whether all entries are ones that an `AddressList` takes. */
export function isAddressList(entries: readonly string[]): boolean {
  try {
    void new AddressList(entries);
    return true;
  } catch {
    return false;
  }
}

/** Whether an address is that of a proxy of ours; `hop` counts from our own connection outwards, from 0. */
export type ProxyTrust = (address: string, hop: number) => boolean;

const MAX_HOPS = 10;
/** Names of networks that proxies in front of a service usually have. */
const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Reads `TRUST_PROXY`: a number of hops, or addresses and networks separated by commas; undefined when there is no proxy. Errors:
 * RangeError, without the text. "true" is refused: it would believe the leftmost entry of X-Forwarded-For, which the client writes.
 */
export function proxyTrust(text: string): ProxyTrust | undefined {
  if (['', 'false', '0'].includes(text)) return undefined;
  if (text === 'true')
    throw new RangeError(
      'must not be true, which lets clients choose their address: write the number of proxies in front (1), or their addresses and networks (10.0.0.0/8,192.0.2.7)',
    );
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops > MAX_HOPS) throw new RangeError(`must be at most ${MAX_HOPS} hops`);
    return (_address, hop) => hop < hops;
  }
  const list = new AddressList(text.split(',').flatMap((entry) => NAMED_NETWORKS[entry.trim()] ?? [entry.trim()]));
  return (address) => isIP(address) !== 0 && list.takes(address);
}

/** An origin of pages, or a pattern of such origins. */
export type OriginPattern = string | RegExp;

/** Pages of this machine, on any port. */
export const LOOPBACK_ORIGINS = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export const matchesOrigin = (patterns: readonly OriginPattern[], origin: string): boolean =>
  patterns.some((pattern) => (typeof pattern === 'string' ? pattern === origin : pattern.test(origin)));

/** Whether the host of a URL is this machine itself: `localhost`, 127.0.0.0/8 or `[::1]`. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname);
