import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../core/log.js';

type Done = Parameters<SpanExporter['export']>[1];

/** ExportResultCode.SUCCESS. */
const SUCCESS: Parameters<Done>[0]['code'] = 0;

/** Exports spans; says once that the collector takes none, and once that it takes them again. */
export class ReportingExporter implements SpanExporter {
  readonly #exporter: OTLPTraceExporter;
  readonly #log: Logger;
  #fails = false;

  constructor(exporter: OTLPTraceExporter, log: Logger) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: Done): void {
    this.#exporter.export(spans, (result) => {
      const fails = result.code !== SUCCESS;
      if (fails && !this.#fails)
        this.#log.warn({ err: result.error }, 'the collector takes no traces: they are lost until it does');
      if (!fails && this.#fails) this.#log.info('the collector takes traces again');
      this.#fails = fails;
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
