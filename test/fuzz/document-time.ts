import { setTimeout as sleep } from 'node:timers/promises';
import { worstDocuments } from '../support/worst-documents.js';
import { type FuzzCase, hostNames } from './case.js';
import type { Stage } from './support/stage.js';

const TRIES = 5;

export interface DocumentTime {
  host: string;
  name: string;
  /** The longest stretch for which a request kept the event loop, at the best of a few tries: what it takes each time. */
  ms: number;
}

/** How long the service is busy with each of the worst documents, from its body to its refusal or answer; the slowest first. */
export async function documentTimes({ service, sender }: Stage): Promise<DocumentTime[]> {
  const times: DocumentTime[] = [];
  for (const host of hostNames)
    for (const { name, source } of worstDocuments) {
      const given = caseOf(host, source);
      const blocks: number[] = [];
      for (let left = TRIES; left > 0; left--) {
        await service.longestBlockMs();
        await sender.send(given);
        await sleep(10); // the watch comes round after the block
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
