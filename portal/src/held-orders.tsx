import type { ReactNode } from 'react';
import { useEnvironment } from './environment.js';
import { graphql } from './graphql.js';
import { useReadAgain } from './loaded.js';
import { At } from './parts.js';
import { useRead } from './read.js';
import { words } from './words.js';

const HELD = graphql(`
  query HeldOrders {
    environments {
      environment
      orderHold {
        notice
        since
      }
    }
  }
`);

const AGAIN_MS = 30_000;

/** On every page, while staff hold new orders of the chosen environment. */
export function HeldOrders(): ReactNode {
  const environment = useEnvironment();
  const read = useRead({ query: HELD });
  useReadAgain(read, AGAIN_MS);
  const hold = read[0].data?.environments?.find((one) => one.environment === environment)?.orderHold;
  if (!hold) return null;
  return (
    <section className="notice asks" role="status" aria-label={words.orderHold.held}>
      <p>
        <strong>{words.orderHold.banner(words.environments[environment])}</strong> · {words.orderHold.since}{' '}
        <At at={hold.since} />
      </p>
      <p>{hold.notice}</p>
    </section>
  );
}
