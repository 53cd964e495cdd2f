import type { ServerResponse } from 'node:http';

/** Reaction of a simulated provider to a request, after a delay of `delayMs`. */
export type Reply = (
  | { kind: 'json'; body: object; httpStatus?: number }
  /** Truncated JSON in a well-formed HTTP response. */
  | { kind: 'truncated'; body: object }
  | { kind: 'html'; httpStatus: number }
  | { kind: 'text'; text: string }
  /** The socket remains open until the client closes it. */
  | { kind: 'silence' }
  /** TCP reset. */
  | { kind: 'reset' }
) & { delayMs?: number };

export const json = (body: object, httpStatus = 200): Reply => ({ kind: 'json', body, httpStatus });

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendReply(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'json':
      send(response, reply.httpStatus ?? 200, JSON_TYPE, JSON.stringify(reply.body));
      return;
    case 'truncated': {
      const text = JSON.stringify(reply.body);
      send(response, 200, JSON_TYPE, text.slice(0, Math.floor(text.length / 2)));
      return;
    }
    case 'html':
      send(response, reply.httpStatus, 'text/html; charset=utf-8', htmlPage(reply.httpStatus));
      return;
    case 'text':
      send(response, 200, 'text/plain; charset=utf-8', reply.text);
      return;
    case 'silence':
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
  }
}

export function send(response: ServerResponse, httpStatus: number, contentType: string, text: string): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(httpStatus, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

const titles: Readonly<Record<number, string>> = {
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function htmlPage(httpStatus: number): string {
  const title = `${httpStatus} ${titles[httpStatus] ?? 'Error'}`;
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}
