import { useEffect, useState } from 'react';
import { type AnyVariables, createRequest, type UseQueryArgs, type UseQueryState, useQuery } from 'urql';

export interface Read<Data> extends Omit<UseQueryState<Data>, 'data'> {
  data: Data | undefined;
  /** What is there is of another page or filter of the same list: what was asked for comes. */
  isBefore: boolean;
}

/** Which part of something is read; everything else says what. */
const PARTS: ReadonlySet<string> = new Set([
  'first',
  'last',
  'after',
  'before',
  'from',
  'to',
  'kinds',
  'sort',
  'search',
  'text',
]);
/** Of a filter, whose and where. */
const WHOSE: ReadonlySet<string> = new Set(['environment', 'developerId']);

function subjectOf({ filter, ...variables }: Record<string, unknown> = {}): string {
  const named = Object.entries(variables).filter(([name]) => !PARTS.has(name));
  const whose = Object.entries(filter ?? {}).filter(([name]) => WHOSE.has(name));
  return JSON.stringify([named, whose]);
}

/** What pages show now. */
const shown = new Set<() => void>();
/** Something was changed by somebody else: what is shown is read again. */
export const readAllAgain = (): void => shown.forEach((read) => read());

/**
 * Reads for a page. While another part of the same is on its way, what was there stays; what belongs to another account, environment
 * or object is never shown under the name of the new one. What was read stays too when it could not be read once more.
 */
export function useRead<Data, Given extends AnyVariables>(
  args: UseQueryArgs<Given, Data>,
): [Read<Data>, (how: { requestPolicy: 'network-only' }) => void] {
  const [state, again] = useQuery(args);
  const { key, variables } = createRequest(args.query, args.variables as Given);
  const { operation, error } = state;
  // while nothing is asked, as of a drawer that closes, what is there stays
  const isBefore = !args.pause && operation !== undefined && operation.key !== key;
  useEffect(() => {
    const read = () => again({ requestPolicy: 'network-only' });
    if (!args.pause) shown.add(read);
    return () => void shown.delete(read);
  }, [again, args.pause]);
  const [last, keep] = useState<{ key: number; data: Data }>();
  if (!isBefore && !error && state.data && state.data !== last?.data) keep({ key, data: state.data });
  if (isBefore) {
    const isOfSame =
      subjectOf(operation.variables as Record<string, unknown>) === subjectOf(variables as Record<string, unknown>);
    return [{ ...state, error: undefined, data: isOfSame ? state.data : undefined, isBefore }, again];
  }
  return [{ ...state, data: error && last?.key === key ? last.data : state.data, isBefore }, again];
}
