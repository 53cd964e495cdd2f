import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError } from 'fastify';
import type { DocUrl, ErrorCode } from '../core/error-catalogue.js';
import { AppError } from '../core/errors.js';
import { newId } from '../core/ids.js';
import { appErrorOf } from '../graphql/execution/format-error.js';
import { errorResponse } from '../rest/responses.js';
import { securityHeaders } from './response-headers.js';

/** Converts errors of Fastify to those of the catalog. */
export function requestError(error: FastifyError): AppError {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('PAYLOAD_TOO_LARGE');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('UNSUPPORTED_MEDIA_TYPE');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('MALFORMED_REQUEST');
    default:
      if (error instanceof SyntaxError && error.statusCode === 400) return new AppError('MALFORMED_REQUEST');
      return error.statusCode !== undefined && error.statusCode < 500 && !(error instanceof AppError)
        ? new AppError('MALFORMED_REQUEST', { message: 'The request could not be read.' })
        : appErrorOf(error);
  }
}

const securityLines = Object.entries(securityHeaders('')).map(([name, value]) => `${name}: ${value}`);

/**
 * Handles data that Node could not parse as a request. Since there is no request to respond to, the error is logged and the
 * connection is closed.
 */
export const clientErrorHandler =
  (docUrl?: DocUrl, note: (line: { requestId: string; httpStatus: number; code: ErrorCode }) => void = () => {}) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) {
      const appError =
        error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? new AppError('REQUEST_TIMEOUT')
          : new AppError('MALFORMED_REQUEST', { message: 'The request could not be read.' });
      const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : appError.entry.httpStatus;
      const requestId = newId();
      const body = JSON.stringify(errorResponse(appError, { requestId, docUrl }).body);
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${requestId}`,
        ...securityLines,
        'connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      note({ requestId, httpStatus: status, code: appError.code });
    }
    socket.destroy(error);
  };
