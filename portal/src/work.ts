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
const AGAIN_MS = 30_000;
const LONGEST_MS = 8 * AGAIN_MS;
/** Polling interval while a stream is open, to detect a stream that ended without notice. */
const SURE_MS = 120_000;
/** Delay before reconnecting after the server ended a stream, which happens after 15 minutes or at shutdown. */
const ENDED_MS = 1_000;

const onSeen = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
};
/** Whether the page is visible. Browsers limit the number of connections per host, so hidden pages do not keep a stream open. */
const useIsSeen = (): boolean => useSyncExternalStore(onSeen, () => document.visibilityState === 'visible');

/** Keeps a stream open until it is stopped, and reports whether one is open. */
function listen(client: Client, setLive: (isLive: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let close: () => void;
  let isStopped = false;
  let vainMs = AGAIN_MS;
  function open(): void {
    let hasStarted = false;
    let last: { code?: string; retryAfterMs?: number } = {};
    const end = (): void => {
      if (isStopped) return;
      setLive(false);
      // A process that is shutting down also rejects new streams with STREAM_ENDED.
      const waitMs = hasStarted && last.code === 'STREAM_ENDED' ? ENDED_MS : Math.max(vainMs, last.retryAfterMs ?? 0);
      vainMs = hasStarted ? AGAIN_MS : Math.min(2 * vainMs, LONGEST_MS);
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
  const [read, again] = useRead({ query: WORK });
  const [isLive, setLive] = useState(false);
  const isSeen = useIsSeen();
  useEffect(() => (isSeen ? listen(client, setLive) : undefined), [isSeen, client]);
  useRefetchWhile([read, again], isLive ? SURE_MS : AGAIN_MS);

  const wasLive = useRef(isLive);
  useEffect(() => {
    // Changes since the last event may have been missed.
    if (wasLive.current && !isLive) again({ requestPolicy: 'network-only' });
    wasLive.current = isLive;
  }, [isLive, again]);
  return [read, () => again({ requestPolicy: 'network-only' })];
}

/** Number of open items in the given queues, refetched on each navigation. Always 0 for developers. */
export function useWorkCount(): (kinds: readonly WorkKind[]) => number {
  const pause = !isStaff(useViewer());
  const { pathname } = useLocation();
  const [{ data }, again] = useRead({ query: WORK, pause, requestPolicy: 'cache-first' });
  useEffect(() => {
    if (!pause) again({ requestPolicy: 'network-only' });
  }, [pathname, pause, again]);
  return (kinds) => (data?.work ?? []).reduce((sum, { kind, count }) => (kinds.includes(kind) ? sum + count : sum), 0);
}
