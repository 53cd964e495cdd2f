import { setTimeout as pause } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind as SdkKind,
  type Span as SdkSpan,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '../core/log.js';
import { version } from '../core/package-root.js';
import type { Span, SpanKind, SpanValues, TraceParent, Tracing } from '../core/scope.js';
import { samplerOf } from './sampler.js';
import { type Environment, UnusableVariable } from './tracing-environment.js';

const NAME = 'recharge-gateway';
const PROTOCOL = 'http/protobuf';
/** Maximum time that a shutdown waits for an unresponsive collector. */
const CLOSE_WITHIN_MS = 3_000;

const KINDS: Readonly<Record<SpanKind, SdkKind>> = {
  server: SdkKind.SERVER,
  client: SdkKind.CLIENT,
  internal: SdkKind.INTERNAL,
};

/**
 * Sends spans to a collector by OTLP over HTTP. They are queued in a bounded queue and lost when it is full, so that no request
 * waits for the collector. Imported only if traces are enabled.
 */
export class OtlpTracing implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  /**
   * Creates the exporter. Throws UnusableVariable.
   * @param environment is read by the SDK as well, from the process itself
   */
  constructor(environment: Environment, log: Logger) {
    const { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL = OTEL_EXPORTER_OTLP_PROTOCOL } =
      environment;
    if ((OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || PROTOCOL) !== PROTOCOL)
      throw new UnusableVariable(`OTEL_EXPORTER_OTLP_PROTOCOL must be ${PROTOCOL}, the only supported protocol.`);
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': NAME, 'service.version': version }).merge(
        detectResources({ detectors: [envDetector] }),
      ),
      sampler: samplerOf(environment),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new ReportingExporter(new OTLPTraceExporter(), log),
          ...batchingOf(environment),
        }),
      ],
    });
    this.#tracer = this.#provider.getTracer(NAME, version);
  }

  begin(name: string, kind: SpanKind, values: SpanValues, parent?: TraceParent): Span {
    const context = parent
      ? trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
          isRemote: true,
        })
      : ROOT_CONTEXT;
    return new OtlpSpan(this.#tracer, name, kind, values, context);
  }

  async close(): Promise<void> {
    const stop = new AbortController();
    const end = this.#provider.shutdown().catch(() => {});
    const limit = pause(CLOSE_WITHIN_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    await Promise.race([end, limit]);
    stop.abort();
  }
}

class OtlpSpan implements Span {
  readonly #span: SdkSpan;

  constructor(
    private readonly tracer: Tracer,
    name: string,
    kind: SpanKind,
    values: SpanValues,
    context: Context,
  ) {
    this.#span = tracer.startSpan(name, { kind: KINDS[kind], attributes: values }, context);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  child(name: string, kind: SpanKind, values: SpanValues): Span {
    return new OtlpSpan(this.tracer, name, kind, values, trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  end(values: SpanValues = {}, failed = false): void {
    this.#span.setAttributes(values);
    if (failed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

/** Returns the settings of the span queue, if the environment contains them. */
function batchingOf(environment: Environment): Record<string, number> {
  const names = {
    scheduledDelayMillis: 'OTEL_BSP_SCHEDULE_DELAY',
    exportTimeoutMillis: 'OTEL_BSP_EXPORT_TIMEOUT',
    maxQueueSize: 'OTEL_BSP_MAX_QUEUE_SIZE',
    maxExportBatchSize: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([option, variable]) => {
      const value = Number(environment[variable]);
      return value > 0 ? [[option, value]] : [];
    }),
  );
}

type Done = Parameters<SpanExporter['export']>[1];

/** ExportResultCode.SUCCESS. */
const SUCCESS: Parameters<Done>[0]['code'] = 0;

/** Exports spans. Logs once when the collector becomes unavailable, and once when it is available again. */
class ReportingExporter implements SpanExporter {
  #isFailing = false;

  constructor(
    private readonly exporter: OTLPTraceExporter,
    private readonly log: Logger,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      const isFailing = result.code !== SUCCESS;
      if (isFailing && !this.#isFailing)
        this.log.warn(
          { err: result.error },
          'trace collector unavailable: traces are lost until it accepts them again',
        );
      if (!isFailing && this.#isFailing) this.log.info('trace collector available again');
      this.#isFailing = isFailing;
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
