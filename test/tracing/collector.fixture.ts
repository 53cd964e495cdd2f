import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until.js';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  kind: number;
  values: Record<string, string | number | boolean>;
  failed: boolean;
  resource: Record<string, string | number | boolean>;
}

export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Headers of each request. */
  headers: IncomingHttpHeaders[];
  /** Resolves to the matching spans, once there is at least one. */
  find(description: string, fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

/** A collector that receives OTLP over HTTP: `POST /v1/traces` with protobuf. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push({ ...request.headers, ':path': request.url });
      spans.push(...spansIn(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    find: async (description, fits) => {
      await until(description, () => spans.some(fits));
      return spans.filter(fits);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Fields = Map<number, (Buffer | bigint)[]>;

/** Fields of a protobuf message by number: bytes or a number. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Buffer[] => (fields.get(number) ?? []) as Buffer[];
const text = (fields: Fields, number: number): string => messages(fields, number)[0]?.toString() ?? '';
const hex = (fields: Fields, number: number): string => messages(fields, number)[0]?.toString('hex') ?? '';

/** KeyValue: key 1, value 2; AnyValue: text 1, boolean 2, integer 3. */
function valuesOf(pairs: readonly Buffer[]): ReceivedSpan['values'] {
  return Object.fromEntries(
    pairs.map(fieldsOf).map((pair) => {
      const value = fieldsOf(messages(pair, 2)[0]!);
      const [flag] = value.get(2) ?? [];
      const [integer] = value.get(3) ?? [];
      return [
        text(pair, 1),
        integer !== undefined ? Number(integer) : flag !== undefined ? flag === 1n : text(value, 1),
      ];
    }),
  );
}

/** Uses the field numbers of trace.proto in opentelemetry-proto: ResourceSpans 1; resource 1, ScopeSpans 2; Span 2. */
const spansIn = (body: Buffer): ReceivedSpan[] =>
  messages(fieldsOf(body), 1)
    .map(fieldsOf)
    .flatMap((group) => {
      const resource = valuesOf(messages(fieldsOf(messages(group, 1)[0]!), 1));
      return messages(group, 2)
        .flatMap((scope) => messages(fieldsOf(scope), 2))
        .map(fieldsOf)
        .map((span) => ({
          traceId: hex(span, 1),
          spanId: hex(span, 2),
          parentId: hex(span, 4),
          name: text(span, 5),
          kind: Number(span.get(6)?.[0] ?? 0n),
          values: valuesOf(messages(span, 9)),
          failed: messages(span, 15).some((status) => fieldsOf(status).get(3)?.[0] === 2n),
          resource,
        }));
    });
