import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { CombinedError } from 'urql';
import { failureOf } from './failure.js';
import { Problem, Skeleton } from './parts.js';

interface Read<Data> {
  data?: Data | undefined;
  error?: CombinedError | undefined;
  fetching: boolean;
}

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

/**
 * What was read, or what there is instead: a wait, a refusal with its number, the way to sign in (and back to this address), or to
 * the second factor that is missing.
 */
export function Loaded<Data>({
  read,
  retry,
  rows,
  children,
}: {
  read: Read<Data>;
  retry?: () => void;
  rows?: number;
  children: (data: Data) => ReactNode;
}): ReactNode {
  const failure = read.error && failureOf(read.error);
  if (failure?.code === 'UNAUTHENTICATED') return <GoTo page="/sign-in" />;
  if (failure?.code === 'SECOND_FACTOR_MISSING') return <GoTo page="/second-factor" />;
  if (failure) return <Problem failure={failure} {...(retry ? { retry } : {})} />;
  if (read.data === undefined || read.data === null) return <Skeleton rows={rows} />;
  return children(read.data);
}

/**
 * Reads once more, each `ms` while `on`, but never before the last answer is there, however slow the network is; and a last time when
 * that ends: a part of the news may have come by another reading of the same page, and this one has the rest.
 */
export function useReadAgain(
  [{ fetching }, again]: readonly [
    { fetching: boolean },
    (how: { requestPolicy: 'network-only' }) => void,
    ...unknown[],
  ],
  ms: number,
  on = true,
): void {
  // asked at each tick: a reading that began and ended between two renders leaves no change to wait for
  const isReading = useRef(fetching);
  useEffect(() => {
    isReading.current = fetching;
  }, [fetching]);
  const wasOn = useRef(on);
  useEffect(() => {
    if (wasOn.current && !on) again({ requestPolicy: 'network-only' });
    wasOn.current = on;
    if (!on) return undefined;
    const timer = setInterval(() => {
      if (!isReading.current) again({ requestPolicy: 'network-only' });
    }, ms);
    return () => clearInterval(timer);
  }, [on, again, ms]);
}
