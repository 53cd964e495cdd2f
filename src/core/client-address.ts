import { isIPv4, isIPv6 } from 'node:net';

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
