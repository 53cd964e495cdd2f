import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { failureOf, isTransient } from './failure.js';
import { Problem, Skeleton } from './parts.js';
import type { Read } from './read.js';
import { ShowCall } from './show-call.js';

/**
 * Redirects to a page with the current URL as the return address. Runs once, because this component stays mounted during the
 * redirect.
 */
function Redirect({ page }: { page: '/sign-in' | '/second-factor' }): ReactNode {
  const navigate = useNavigate();
  const hasNavigated = useRef(false);
  useEffect(() => {
    if (hasNavigated.current) return;
    hasNavigated.current = true;
    void navigate({ to: page, search: { to: location.pathname + location.search }, replace: true });
  }, [navigate, page]);
  return null;
}

/** Marks the page as busy while it displays the previous rows. */
function useBusy(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined;
    const page = document.querySelector('main');
    page?.setAttribute('aria-busy', 'true');
    return () => page?.removeAttribute('aria-busy');
  }, [isBusy]);
}

/** Retries when the browser is online again. */
function useOnceOnline(isEnabled: boolean, retry: (() => void) | undefined): void {
  const latestRetry = useRef(retry);
  useEffect(() => void (latestRetry.current = retry));
  useEffect(() => {
    if (!isEnabled) return undefined;
    const listen = (): void => latestRetry.current?.();
    addEventListener('online', listen);
    return () => removeEventListener('online', listen);
  }, [isEnabled]);
}

/**
 * Displays the result of a query, a loading state or an error. Redirects to the sign-in page, or to the page that adds a required
 * second factor. After a temporary error, continues to display the previous data.
 */
export function Loaded<Data>({
  read,
  retry,
  rows,
  isPart = false,
  children,
}: {
  read: Read<Data>;
  retry?: () => void;
  rows?: number;
  /** Whether this is part of another query result that already has a link to the API call. */
  isPart?: boolean;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const failure = useMemo(() => read.error && failureOf(read.error), [read.error]);
  useBusy(read.isStale);
  useOnceOnline(failure?.code === 'UNREACHABLE', retry);
  if (failure?.code === 'UNAUTHENTICATED') return <Redirect page="/sign-in" />;
  if (failure?.code === 'SECOND_FACTOR_NOT_ENROLLED') return <Redirect page="/second-factor" />;
  const problem = failure && <Problem failure={failure} {...(retry ? { retry } : {})} />;
  if (failure && !(isTransient(failure) && read.data)) return problem;
  if (read.data === undefined || read.data === null) return <Skeleton rows={rows} />;
  return (
    <>
      {problem}
      {children(read.data)}
      {read.operation && !isPart ? <ShowCall of={read.operation.query} /> : null}
    </>
  );
}

type ReadResult = readonly [{ fetching: boolean }, (options: { requestPolicy: 'network-only' }) => void, ...unknown[]];

/**
 * Refetches every `ms` milliseconds while `on`. Skips a refetch while the previous one is running or the page is hidden, and
 * refetches as soon as the page is visible again.
 */
export function useRefetchEvery([{ fetching }, refetch]: ReadResult, ms: number, isEnabled = true): void {
  // A ref is needed, because a query that starts and ends between two renders does not trigger the effect below.
  const isReading = useRef(fetching);
  useEffect(() => {
    isReading.current = fetching;
  }, [fetching]);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const refetchIfVisible = (): void => {
      if (document.visibilityState === 'visible' && !isReading.current) refetch({ requestPolicy: 'network-only' });
    };
    const timer = setInterval(refetchIfVisible, ms);
    document.addEventListener('visibilitychange', refetchIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refetchIfVisible);
    };
  }, [isEnabled, refetch, ms]);
}

/**
 * Refetches like `useRefetchEvery`, and one last time when `on` becomes false, because another query of the page may have
 * received only some of the changes.
 */
export function useRefetchWhile(result: ReadResult, ms: number, isEnabled = true): void {
  const [, refetch] = result;
  useRefetchEvery(result, ms, isEnabled);
  const wasEnabled = useRef(isEnabled);
  useEffect(() => {
    if (wasEnabled.current && !isEnabled) refetch({ requestPolicy: 'network-only' });
    wasEnabled.current = isEnabled;
  }, [isEnabled, refetch]);
}

/** Refetches when a link, for example in the menu, leads to the current page with the same search parameters. */
export function useRefetchOnRevisit(refetch: ReadResult[1], variables: object): void {
  const { __TSR_key: key } = useLocation().state;
  const serialized = JSON.stringify(variables);
  const last = useRef({ key, shown: serialized });
  useEffect(() => {
    const previous = last.current;
    last.current = { key, shown: serialized };
    if (previous.key !== key && previous.shown === serialized) refetch({ requestPolicy: 'network-only' });
  }, [key, serialized, refetch]);
}
