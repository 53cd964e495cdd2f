import type { ReactNode } from 'react';
import { useEnvironment } from './environment.js';
import { graphql } from './graphql.js';
import { useRefetchWhile } from './loaded.js';
import { Timestamp } from './parts.js';
import { useRead } from './read.js';
import { words } from './words.js';

const PAUSED = graphql(`
  query PausedOrders {
    environments {
      environment
      orderPause {
        notice
        since
      }
    }
  }
`);

const POLL_MS = 30_000;

/** Notice on every page while new orders of the selected environment are paused. */
export function PausedOrders(): ReactNode {
  const environment = useEnvironment();
  const read = useRead({ query: PAUSED });
  useRefetchWhile(read, POLL_MS);
  const pause = read[0].data?.environments?.find((entry) => entry.environment === environment)?.orderPause;
  if (!pause) return null;
  return (
    <section className="notice asks" role="status" aria-label={words.orderPause.paused}>
      <p>
        <strong>{words.orderPause.banner(words.environments[environment])}</strong> · {words.orderPause.since}{' '}
        <Timestamp at={pause.since} />
      </p>
      <p>{pause.notice}</p>
    </section>
  );
}
