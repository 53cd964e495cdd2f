import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const GROUPS = 8;

/**
 * Returns the key of limits per address. For IPv4, this is the address, even in its IPv6 form (::ffff:203.0.113.7). For IPv6, it
 * is the /64 network, because clients can choose the remaining bits. All texts that are not addresses share one key.
 */
export function addressKey(address: string): string {
  if (isIPv4(address)) return address;
  const [bare = ''] = address.split('%', 1); // removes the zone of a link-local address
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

/** Returns the /48 network for the key of an IPv6 address, which can belong to one customer, or undefined for other keys. */
export function wideNetworkOf(key: string): string | undefined {
  return key.endsWith('::/64') ? `${key.split(':', 3).join(':')}::/48` : undefined;
}

/**
 * Returns the key of an address (`addressKey`) and keys of its IPv6 networks (/56 and /48). A home connection often has 256 /64
 * networks, a small company 65,536.
 */
export function networksOf(key: string): string[] {
  if (!key.endsWith('::/64')) return [key];
  const [a, b, c, d] = key.slice(0, -'::/64'.length).split(':');
  const upperByte = (Number.parseInt(d!, 16) & 0xff00).toString(16);
  return [key, `${a}:${b}:${c}:${upperByte}::/56`, `${a}:${b}:${c}::/48`];
}

/** Returns the eight groups of an IPv6 address in any notation, as numbers. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.replace(/[\d.]+$/, hexOfDotted).split('::');
  const numbers = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = numbers(head);
  const last = numbers(tail ?? '');
  return [...first, ...Array.from({ length: GROUPS - first.length - last.length }, () => 0), ...last];
}

/** Converts an IPv4 address at the end of an IPv6 address to two groups. Other text remains unchanged. */
function hexOfDotted(text: string): string {
  const [a, b, c, d] = text.split('.').map(Number);
  return d === undefined ? text : `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d).toString(16)}`;
}

/** List of allowed addresses. An empty list allows all addresses. */
export class AddressList {
  readonly #list = new BlockList();
  readonly #empty: boolean;

  /**
   * Creates the list. Throws RangeError, whose message does not contain the entry.
   * @param entries addresses and networks such as "203.0.113.7", "10.0.0.0/8", "2001:db8::/32"
   */
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

  /**
   * Returns whether the address is allowed. An IPv4 address in its IPv6 form (::ffff:203.0.113.7) is treated as an IPv4 address.
   */
  includes(address: string): boolean {
    return this.#empty || this.#list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** Returns whether all entries are valid for an `AddressList`. */
export function isAddressList(entries: readonly string[]): boolean {
  try {
    void new AddressList(entries);
    return true;
  } catch {
    return false;
  }
}

/**
 * Function that returns whether an address belongs to one of our proxies. `hop` is 0 for the peer of our own connection and
 * increases with each additional proxy.
 */
export type ProxyTrust = (address: string, hop: number) => boolean;

const MAX_HOPS = 10;
/** Names of networks that are typically used by reverse proxies. */
const NAMED_NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/**
 * Parses `TRUST_PROXY`: a number of hops, or addresses and networks separated by commas. Returns undefined if there is no proxy.
 * "true" is rejected because it would trust the leftmost entry of X-Forwarded-For, which the client writes. Throws RangeError.
 * Its message does not contain the text.
 */
export function proxyTrust(text: string): ProxyTrust | undefined {
  if (['', 'false', '0'].includes(text)) return undefined;
  if (text === 'true')
    throw new RangeError(
      'must not be "true", because clients could then choose their address. Set the number of proxies in front (1), or their addresses and networks (10.0.0.0/8,192.0.2.7)',
    );
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops > MAX_HOPS) throw new RangeError(`must be at most ${MAX_HOPS} hops`);
    return (_address, hop) => hop < hops;
  }
  const list = new AddressList(text.split(',').flatMap((entry) => NAMED_NETWORKS[entry.trim()] ?? [entry.trim()]));
  return (address) => isIP(address) !== 0 && list.includes(address);
}

/** Origin, or a pattern of origins. */
export type OriginPattern = string | RegExp;

/** Origins on this machine with any port. */
export const LOOPBACK_ORIGINS = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

export const matchesOrigin = (patterns: readonly OriginPattern[], origin: string): boolean =>
  patterns.some((pattern) => (typeof pattern === 'string' ? pattern === origin : pattern.test(origin)));

/** Returns whether the host of a URL is this machine: `localhost`, 127.0.0.0/8 or `[::1]`. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i.test(hostname);
