import { setTimeout as sleep } from 'node:timers/promises';
import { worstDocuments } from '../support/worst-documents.js';
import { type FuzzCase, hostNames } from './case.js';
import type { Stage } from './support/stage.js';

const ATTEMPTS = 5;

export interface DocumentTime {
  host: string;
  name: string;
  /** Longest time for which a request blocked the event loop; the minimum of a few attempts, which is its inherent cost. */
  ms: number;
}

/** Time for which each of the worst documents keeps the service busy, from its body to the response, slowest first. */
export async function documentTimes({ service, sender }: Stage): Promise<DocumentTime[]> {
  const times: DocumentTime[] = [];
  for (const host of hostNames)
    for (const { name, source } of worstDocuments) {
      const fuzzCase = caseOf(host, source);
      const blocks: number[] = [];
      for (let left = ATTEMPTS; left > 0; left--) {
        await service.longestBlockMs();
        await sender.send(fuzzCase);
        await sleep(10); // time for the watcher to run after the block
        blocks.push(await service.longestBlockMs());
      }
      times.push({ host, name, ms: Math.min(...blocks) });
    }
  return times.toSorted((a, b) => b.ms - a.ms);
}

function caseOf(host: FuzzCase['host'], source: string): FuzzCase {
  const token = host === 'console' ? 'support' : `owner-${host}`;
  return {
    kind: 'worst document',
    host,
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', authorization: `Bearer {{token.${token}}}` },
    body: JSON.stringify({ query: source }),
  };
}
