import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { addressKey } from '../core/client-address.js';

/** The client's address, as far as the trusted proxies tell it; what is no address, a proxy did not write. */
export const clientAddress = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip) === 0 ? (raw.socket.remoteAddress ?? '') : ip;

export const clientAddressKey = (request: FastifyRequest): string => addressKey(clientAddress(request));
