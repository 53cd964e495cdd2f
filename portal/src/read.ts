import { useEffect, useState } from 'react';
import { type AnyVariables, createRequest, type UseQueryArgs, type UseQueryState, useQuery } from 'urql';

export interface Read<Data> extends Omit<UseQueryState<Data>, 'data'> {
  data: Data | undefined;
  /** Whether the data belongs to another page or filter of the same list, because the requested data is still loading. */
  isStale: boolean;
}

/** Variables that select a part of a list. All other variables identify the list. */
const PAGE_VARIABLES: ReadonlySet<string> = new Set([
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
/** Filters that identify the list. */
const OWNER_FILTERS: ReadonlySet<string> = new Set(['environment', 'developerId']);

function subjectOf({ filter, ...variables }: Record<string, unknown> = {}): string {
  const identifying = Object.entries(variables).filter(([name]) => !PAGE_VARIABLES.has(name));
  const owner = Object.entries(filter ?? {}).filter(([name]) => OWNER_FILTERS.has(name));
  return JSON.stringify([identifying, owner]);
}

/** Refetch functions of the queries on the page. */
const active = new Set<() => void>();
/** Refetches all queries on the page, because another user changed a record. */
export const refetchAll = (): void => active.forEach((refetch) => refetch());

/**
 * Runs a query for a page. While another part of the same list loads, keeps the previous data. Never displays data of another
 * account, environment or record. Keeps the data if a refetch fails.
 */
export function useRead<Data, Input extends AnyVariables>(
  args: UseQueryArgs<Input, Data>,
): [Read<Data>, (options: { requestPolicy: 'network-only' }) => void] {
  const [state, refetch] = useQuery(args);
  const { key, variables } = createRequest(args.query, args.variables as Input);
  const { operation, error } = state;
  // The data is kept while the query is paused, for example because a drawer closes.
  const isStale = !args.pause && operation !== undefined && operation.key !== key;
  useEffect(() => {
    const refetchFresh = () => refetch({ requestPolicy: 'network-only' });
    if (!args.pause) active.add(refetchFresh);
    return () => void active.delete(refetchFresh);
  }, [refetch, args.pause]);
  const [last, setLast] = useState<{ key: number; data: Data }>();
  if (!isStale && !error && state.data && state.data !== last?.data) setLast({ key, data: state.data });
  if (isStale) {
    const isSameList =
      subjectOf(operation.variables as Record<string, unknown>) === subjectOf(variables as Record<string, unknown>);
    return [{ ...state, error: undefined, data: isSameList ? state.data : undefined, isStale }, refetch];
  }
  return [{ ...state, data: error && last?.key === key ? last.data : state.data, isStale }, refetch];
}
