import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import type { WorkKind } from './generated/documents.js';
import { graphql } from './graphql.js';
import { isStaff, useViewer } from './people.js';

export const WORK = graphql(`
  query Work {
    work {
      kind
      count
      inUat
      amount
      oldestAt
    }
  }
`);

/** How much of these kinds waits, read with each page that is opened; nothing for developers. */
export function useWorkCount(): (kinds: readonly WorkKind[]) => number {
  const pause = !isStaff(useViewer());
  const { pathname } = useLocation();
  const [{ data }, again] = useQuery({ query: WORK, pause, requestPolicy: 'cache-first' });
  useEffect(() => {
    if (!pause) again({ requestPolicy: 'network-only' });
  }, [pathname, pause, again]);
  return (kinds) => (data?.work ?? []).reduce((sum, { kind, count }) => (kinds.includes(kind) ? sum + count : sum), 0);
}
