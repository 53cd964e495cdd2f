import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { failureOf, isPassing } from './failure.js';
import { Problem, Skeleton } from './parts.js';
import type { Read } from './read.js';
import { ShowCall } from './show-call.js';

/**
 * Redirects to a page with the current URL as the return address. Runs once, because this component stays mounted during the
 * redirect.
 */
function GoTo({ page }: { page: '/sign-in' | '/second-factor' }): ReactNode {
  const navigate = useNavigate();
  const isGone = useRef(false);
  useEffect(() => {
    if (isGone.current) return;
    isGone.current = true;
    void navigate({ to: page, search: { to: location.pathname + location.search }, replace: true });
  }, [navigate, page]);
  return null;
}

/** Marks the page as busy while it displays the previous rows. */
function useBusy(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined;
    const page = document.querySelector('main');
    page?.setAttribute('aria-busy', 'true');
    return () => page?.removeAttribute('aria-busy');
  }, [on]);
}

/** Retries when the browser is online again. */
function useOnceOnline(on: boolean, ask: (() => void) | undefined): void {
  const asks = useRef(ask);
  useEffect(() => void (asks.current = ask));
  useEffect(() => {
    if (!on) return undefined;
    const listen = (): void => asks.current?.();
    addEventListener('online', listen);
    return () => removeEventListener('online', listen);
  }, [on]);
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
  if (failure?.code === 'UNAUTHENTICATED') return <GoTo page="/sign-in" />;
  if (failure?.code === 'SECOND_FACTOR_NOT_ENROLLED') return <GoTo page="/second-factor" />;
  const problem = failure && <Problem failure={failure} {...(retry ? { retry } : {})} />;
  if (failure && !(isPassing(failure) && read.data)) return problem;
  if (read.data === undefined || read.data === null) return <Skeleton rows={rows} />;
  return (
    <>
      {problem}
      {children(read.data)}
      {read.operation && !isPart ? <ShowCall of={read.operation.query} /> : null}
    </>
  );
}

type Reading = readonly [{ fetching: boolean }, (how: { requestPolicy: 'network-only' }) => void, ...unknown[]];

/**
 * Refetches every `ms` milliseconds while `on`. Skips a refetch while the previous one is running or the page is hidden, and
 * refetches as soon as the page is visible again.
 */
export function useRefetchEvery([{ fetching }, again]: Reading, ms: number, on = true): void {
  // A ref is needed, because a query that starts and ends between two renders does not trigger the effect below.
  const isReading = useRef(fetching);
  useEffect(() => {
    isReading.current = fetching;
  }, [fetching]);
  useEffect(() => {
    if (!on) return undefined;
    const ask = (): void => {
      if (document.visibilityState === 'visible' && !isReading.current) again({ requestPolicy: 'network-only' });
    };
    const timer = setInterval(ask, ms);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [on, again, ms]);
}

/**
 * Refetches like `useRefetchEvery`, and one last time when `on` becomes false, because another query of the page may have
 * received only some of the changes.
 */
export function useRefetchWhile(reading: Reading, ms: number, on = true): void {
  const [, again] = reading;
  useRefetchEvery(reading, ms, on);
  const wasOn = useRef(on);
  useEffect(() => {
    if (wasOn.current && !on) again({ requestPolicy: 'network-only' });
    wasOn.current = on;
  }, [on, again]);
}

/** Refetches when a link, for example in the menu, leads to the current page with the same search parameters. */
export function useRefetchOnRevisit(again: Reading[1], asked: object): void {
  const { __TSR_key: key } = useLocation().state;
  const shown = JSON.stringify(asked);
  const last = useRef({ key, shown });
  useEffect(() => {
    const before = last.current;
    last.current = { key, shown };
    if (before.key !== key && before.shown === shown) again({ requestPolicy: 'network-only' });
  }, [key, shown, again]);
}
