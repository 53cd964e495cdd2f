/** Environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Error that names a variable and its problem, never its value. */
export class UnusableVariable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableVariable';
  }
}

/**
 * Returns whether the environment enables traces, with the variable names that OpenTelemetry uses in all languages. They are not
 * our settings; the SDK reads their other values.
 */
export function isTracingEnabled(environment: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } =
    environment;
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}
