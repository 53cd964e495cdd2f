import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type Client, type OperationResult, useClient } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import type { WorkKind, WorkQuery } from './generated/documents.js';
import { graphql } from './graphql.js';
import { useReadAgain } from './loaded.js';
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

/** While no stream is live; after this time it is asked for again, too, and each time in vain after twice as long. */
const AGAIN_MS = 30_000;
const LONGEST_MS = 8 * AGAIN_MS;
/** While one does: a stream that died without a word is found out. */
const SURE_MS = 120_000;
/** Streams end each quarter of an hour, and with their process. */
const ENDED_MS = 1_000;

const onSeen = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
};
/** Whether anybody can see this page: a stream keeps one of the few connections that a browser has to one host. */
const useIsSeen = (): boolean => useSyncExternalStore(onSeen, () => document.visibilityState === 'visible');

/** Listens again and again until it is stopped, and says whether a stream is live now. */
function listen(client: Client, say: (isLive: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let close: () => void;
  let isOver = false;
  let vainMs = AGAIN_MS;
  function open(): void {
    let hasBegun = false;
    let last: { code?: string; retryAfterMs?: number } = {};
    const end = (): void => {
      if (isOver) return;
      say(false);
      // a process that ends refuses new streams with the word that ends the ones it has
      const waitMs = hasBegun && last.code === 'STREAM_ENDED' ? ENDED_MS : Math.max(vainMs, last.retryAfterMs ?? 0);
      vainMs = hasBegun ? AGAIN_MS : Math.min(2 * vainMs, LONGEST_MS);
      timer = setTimeout(open, waitMs);
    };
    const heard = ({ error }: OperationResult): void => {
      hasBegun ||= !error;
      last = error?.graphQLErrors[0]?.extensions ?? {};
      say(!error);
      // to the client a refusal is a first event, of a stream that does not end
      if (error && !hasBegun) close();
    };
    ({ unsubscribe: close } = pipe(client.subscription(WORK_CHANGED, {}), onEnd(end), subscribe(heard)));
  }
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    close();
    say(false);
  };
}

/**
 * What waits, kept right while a page shows it: a stream brings it, and puts it where `WORK` is read (see `newClient`). Where the stream
 * is down it is read again and again, as if there were none.
 */
export function useWork(): [Read<WorkQuery>, () => void] {
  const client = useClient();
  const [read, again] = useRead({ query: WORK });
  const [isLive, setLive] = useState(false);
  const isSeen = useIsSeen();
  useEffect(() => (isSeen ? listen(client, setLive) : undefined), [isSeen, client]);
  useReadAgain([read, again], isLive ? SURE_MS : AGAIN_MS);

  const wasLive = useRef(isLive);
  useEffect(() => {
    // what changed since the last event reached nobody
    if (wasLive.current && !isLive) again({ requestPolicy: 'network-only' });
    wasLive.current = isLive;
  }, [isLive, again]);
  return [read, () => again({ requestPolicy: 'network-only' })];
}

/** How much of these kinds waits, read with each page that is opened; nothing for developers. */
export function useWorkCount(): (kinds: readonly WorkKind[]) => number {
  const pause = !isStaff(useViewer());
  const { pathname } = useLocation();
  const [{ data }, again] = useRead({ query: WORK, pause, requestPolicy: 'cache-first' });
  useEffect(() => {
    if (!pause) again({ requestPolicy: 'network-only' });
  }, [pathname, pause, again]);
  return (kinds) => (data?.work ?? []).reduce((sum, { kind, count }) => (kinds.includes(kind) ? sum + count : sum), 0);
}
