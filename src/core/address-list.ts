import { BlockList, isIP, isIPv6 } from 'node:net';

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
