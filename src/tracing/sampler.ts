import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { type Environment, UnusableVariable } from './tracing-environment.js';

const PARENT_BASED = 'parentbased_';
const DEFAULT_SAMPLER = `${PARENT_BASED}always_on`;

/** Returns the sampler of `OTEL_TRACES_SAMPLER` and its argument, which selects the recorded traces. Throws UnusableVariable. */
export function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Environment): Sampler {
  const name = OTEL_TRACES_SAMPLER || DEFAULT_SAMPLER;
  return name.startsWith(PARENT_BASED)
    ? new ParentBasedSampler({ root: rootSampler(name.slice(PARENT_BASED.length), OTEL_TRACES_SAMPLER_ARG) })
    : rootSampler(name, OTEL_TRACES_SAMPLER_ARG);
}

function rootSampler(name: string, argument: string | undefined): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioOf(argument));
    default:
      throw new UnusableVariable('OTEL_TRACES_SAMPLER is not a supported sampler.');
  }
}

function ratioOf(argument: string | undefined): number {
  const ratio = argument ? Number(argument) : 1;
  if (!(ratio >= 0 && ratio <= 1)) throw new UnusableVariable('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return ratio;
}
