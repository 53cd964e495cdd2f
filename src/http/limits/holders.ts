import type { FastifyRequest } from 'fastify';
import { networksOf } from '../../core/addresses.js';
import type { Host } from '../../core/environment.js';
import { callerOf, isOfApprovedAccount } from '../../core/principal.js';
import { clientAddressKey } from '../requests/head.js';

/**
 * Memory of the process for requests, divided into slices of 1/32. A slice cannot use unused memory of another slice, so no
 * caller can use up the memory for charged calls or staff. Anonymous callers have one slice per host.
 */
export const SLICES = {
  /** Slice for REST calls that move money, and for GraphQL requests of approved accounts that are not yet known to be queries. */
  money: 8,
  staff: 2,
  /** Slice for all other requests of approved accounts, and callbacks of providers. */
  accounts: 7,
  /** Slice for client tokens, which are used on end-user devices. */
  clients: 2,
  'anonymous callers on uat': 3,
  'anonymous callers on production': 3,
  'anonymous callers on console': 3,
  /** Slice for public pages and documents. */
  files: 4,
} as const;
export const SLICE_PARTS = 32;
export type Slice = keyof typeof SLICES;
export const slices = Object.keys(SLICES) as Slice[];

/** Limit that a request counts toward. */
export interface Count {
  /** Account, client address or network that the limit applies to. */
  key: string;
  /** Maximum share of the slice for all requests with this key. */
  share: number;
  /** Maximum number of slow bodies for this key, on one host or on all hosts together. */
  slowBodies: number;
  acrossHosts?: true;
}

/** Slice of a request and the limits that it counts toward. */
export interface Holder {
  slice: Slice;
  counts: readonly Count[];
}

/** Slow bodies per account, for all its users and tokens on all hosts. */
export const SLOW_BODIES_PER_ACCOUNT = 8;
export const CLIENTS_SLOW_BODIES_PER_ACCOUNT = 32;
export const CLIENTS_SLOW_BODIES_PER_ADDRESS = 4;
/** Multipliers of the limits per address: for the address itself, its /56 network and its /48 network. */
const NETWORK_FACTORS = [1, 2, 4];

/**
 * Returns the limits of a client address and the surrounding IPv6 networks, because the owner of a /56 or a /48 has many
 * addresses.
 */
const addressCounts = (request: FastifyRequest, share: number, slowBodies: number): Count[] =>
  networksOf(clientAddressKey(request)).map((key, index) => {
    const factor = NETWORK_FACTORS[index]!;
    return { key, share: share * factor, slowBodies: slowBodies * factor };
  });

/**
 * Returns the slice and limits of a request. An account that is not approved is treated like an anonymous caller, because anyone
 * can sign up.
 * @param slowBodiesPerAddress limit for anonymous callers
 */
export function holderOf(request: FastifyRequest, host: Host, slowBodiesPerAddress: number): Holder {
  // unknown paths have no context
  const principal = (request.context as FastifyRequest['context'] | null)?.principal;
  const { url, config } = request.routeOptions;
  if (config.isFile) return { slice: 'files', counts: addressCounts(request, 1 / 16, slowBodiesPerAddress) };
  if (config.authenticatesItself)
    return { slice: 'accounts', counts: [{ key: url!, share: 1 / 4, slowBodies: SLOW_BODIES_PER_ACCOUNT }] };
  if (!principal)
    return { slice: `anonymous callers on ${host}`, counts: addressCounts(request, 1 / 16, slowBodiesPerAddress) };
  const caller = (share: number, slowBodies = SLOW_BODIES_PER_ACCOUNT): Count => ({
    key: callerOf(principal),
    share,
    slowBodies,
    acrossHosts: true,
  });
  if (principal.developerId === undefined) return { slice: 'staff', counts: [caller(1 / 2)] };
  if (!isOfApprovedAccount(principal))
    return {
      slice: `anonymous callers on ${host}`,
      counts: [...addressCounts(request, 1 / 16, slowBodiesPerAddress), caller(1 / 16)],
    };
  if (principal.kind === 'developer' && principal.client)
    return {
      slice: 'clients',
      counts: [
        ...addressCounts(request, 1 / 16, CLIENTS_SLOW_BODIES_PER_ADDRESS),
        caller(1 / 4, CLIENTS_SLOW_BODIES_PER_ACCOUNT),
      ],
    };
  const canMoveMoney = config.movesMoney || (principal.kind === 'developer' && url === '/graphql');
  const slice = canMoveMoney && request.method === 'POST' ? 'money' : 'accounts';
  return { slice, counts: [caller(1 / 4)] };
}

/** Returns the holder of an account's GraphQL request once it is known to be a query. */
export const asQuery = ({ counts }: Holder): Holder => ({ slice: 'accounts', counts });
