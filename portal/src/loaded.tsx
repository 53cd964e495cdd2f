import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { failureOf, isPassing } from './failure.js';
import { Problem, Skeleton } from './parts.js';
import type { Read } from './read.js';
import { ShowCall } from './show-call.js';

/** Once, and with the address that was asked for: while the other page is fetched, this one is still there. */
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

/** The page says that its rows are those from before, until the ones that were asked for are there. */
function useBusy(on: boolean): void {
  useEffect(() => {
    if (!on) return undefined;
    const page = document.querySelector('main');
    page?.setAttribute('aria-busy', 'true');
    return () => page?.removeAttribute('aria-busy');
  }, [on]);
}

/** Asks again as soon as the browser has a network. */
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
 * What was read, or what there is instead: a wait, a refusal with its number, the way to sign in (and back to this address), or to
 * the second factor that is missing. What was read before stays below a failure that passes.
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
  /** What it belongs to shows the call. */
  isPart?: boolean;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const failure = useMemo(() => read.error && failureOf(read.error), [read.error]);
  useBusy(read.isBefore);
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
 * Reads once more, each `ms` while `on`, but never before the last answer is there, however slow the network is, nor while nobody sees
 * the page: then as soon as somebody does.
 */
export function useReadEvery([{ fetching }, again]: Reading, ms: number, on = true): void {
  // asked at each tick: a reading that began and ended between two renders leaves no change to wait for
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
 * The same, and a last time when that ends: a part of the news may have come by another reading of the same page, and this one has the
 * rest.
 */
export function useReadAgain(reading: Reading, ms: number, on = true): void {
  const [, again] = reading;
  useReadEvery(reading, ms, on);
  const wasOn = useRef(on);
  useEffect(() => {
    if (wasOn.current && !on) again({ requestPolicy: 'network-only' });
    wasOn.current = on;
  }, [on, again]);
}

/** Reads once more when a link, such as that of the menu, leads to what is shown already: to the same `asked` of an address. */
export function useReadAnew(again: Reading[1], asked: object): void {
  const { __TSR_key: key } = useLocation().state;
  const shown = JSON.stringify(asked);
  const last = useRef({ key, shown });
  useEffect(() => {
    const before = last.current;
    last.current = { key, shown };
    if (before.key !== key && before.shown === shown) again({ requestPolicy: 'network-only' });
  }, [key, shown, again]);
}
