/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Names a variable and what is wrong with it, never its value. */
export class UnusableVariable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableVariable';
  }
}

/**
 * Whether the environment asks for traces, by the names that OpenTelemetry gives its variables in all languages. They are not
 * settings of ours: what else they say, its SDK reads.
 */
export function wantsTraces(environment: Environment): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER } =
    environment;
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false;
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}
