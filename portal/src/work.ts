import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Client, type OperationResult, useClient } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import type { WorkKind, WorkQuery } from './generated/documents.js';
import { graphql } from './graphql.js';
import { useRefetchWhile } from './loaded.js';
import { isStaff, useViewer } from './people.js';
import { type Read, useRead } from './read.js';

export const WORK = graphql(`
  query Work {
    work {
      kind
      count
      uatCount
      amount
      oldestAt
    }
  }
`);
const WORK_CHANGED = graphql(`
  subscription WorkChanged {
    workChanged {
      kind
      count
      uatCount
      amount
      oldestAt
    }
  }
`);

/**
 * Polling interval while no stream is open, and delay before the first attempt to reconnect. The delay doubles with each failure.
 */
const POLL_MS = 30_000;
const MAX_WAIT_MS = 8 * POLL_MS;
/** Polling interval while a stream is open, to detect a stream that ended without notice. */
const LIVE_POLL_MS = 120_000;
/** Delay before reconnecting after the server ended a stream, which happens after 15 minutes or at shutdown. */
const RECONNECT_MS = 1_000;

const onVisibilityChange = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};
/** Whether the page is visible. Browsers limit the number of connections per host, so hidden pages do not keep a stream open. */
const useIsVisible = (): boolean =>
  useSyncExternalStore(onVisibilityChange, () => document.visibilityState === 'visible');

/** Keeps a stream open until it is stopped, and reports whether one is open. */
function listen(client: Client, setLive: (isLive: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let close: () => void;
  let isStopped = false;
  let backoffMs = POLL_MS;
  function open(): void {
    let hasStarted = false;
    let last: { code?: string; retryAfterMs?: number } = {};
    const end = (): void => {
      if (isStopped) return;
      setLive(false);
      // A process that is shutting down also rejects new streams with STREAM_ENDED.
      const waitMs =
        hasStarted && last.code === 'STREAM_ENDED' ? RECONNECT_MS : Math.max(backoffMs, last.retryAfterMs ?? 0);
      backoffMs = hasStarted ? POLL_MS : Math.min(2 * backoffMs, MAX_WAIT_MS);
      timer = setTimeout(open, waitMs);
    };
    const onResult = ({ error }: OperationResult): void => {
      hasStarted ||= !error;
      last = error?.graphQLErrors[0]?.extensions ?? {};
      setLive(!error);
      // The client treats an error response as the first event of a stream that remains open.
      if (error && !hasStarted) close();
    };
    ({ unsubscribe: close } = pipe(client.subscription(WORK_CHANGED, {}), onEnd(end), subscribe(onResult)));
  }
  open();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    close();
    setLive(false);
  };
}

/**
 * Work list, which is updated while a page displays it. A stream writes changes to the cache of `WORK` (see `newClient`). While
 * no stream is open, the work list is polled.
 */
export function useWork(): [Read<WorkQuery>, () => void] {
  const client = useClient();
  const [read, refetch] = useRead({ query: WORK });
  const [isLive, setLive] = useState(false);
  const isVisible = useIsVisible();
  useEffect(() => (isVisible ? listen(client, setLive) : undefined), [isVisible, client]);
  useRefetchWhile([read, refetch], isLive ? LIVE_POLL_MS : POLL_MS);

  const wasLive = useRef(isLive);
  useEffect(() => {
    // Changes since the last event may have been missed.
    if (wasLive.current && !isLive) refetch({ requestPolicy: 'network-only' });
    wasLive.current = isLive;
  }, [isLive, refetch]);
  return [read, () => refetch({ requestPolicy: 'network-only' })];
}

/** Number of open items in the given queues, refetched on each navigation. Always 0 for developers. */
export function useWorkCount(): (kinds: readonly WorkKind[]) => number {
  const pause = !isStaff(useViewer());
  const { pathname } = useLocation();
  const [{ data }, refetch] = useRead({ query: WORK, pause, requestPolicy: 'cache-first' });
  useEffect(() => {
    if (!pause) refetch({ requestPolicy: 'network-only' });
  }, [pathname, pause, refetch]);
  return (kinds) => (data?.work ?? []).reduce((sum, { kind, count }) => (kinds.includes(kind) ? sum + count : sum), 0);
}
