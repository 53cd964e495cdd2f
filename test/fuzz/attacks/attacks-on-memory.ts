import type { HostName } from '../case.js';
import { hostNames } from '../case.js';
import { type Attacker, times } from './attacker.js';
import type { Attack } from './attacks.js';
import { invalidDocument } from './invalid-documents.js';
import * as memory from './memory-attacks.js';

/** Number of bodies, files, documents and connections. */
const COUNT = Number(process.env.ATTACK_COUNT ?? 2_000);
/** Ten times the number that once ended a process. */
const NETWORKS = 2_340;
const UPLOADS_LIMIT_MS = 45_000;
const DOCUMENTS_LIMIT_MS = 120_000;
/** Longer than RESPONSE_TIMEOUT_MS, which limits how long the service keeps an unread response. */
const HOLD_MS = 33_000;
const hostsWithGraphiql: readonly HostName[] = ['uat', 'console'];

const victimOf = ({ stage, sessions }: Attacker): memory.Victim => ({
  urls: stage.urls,
  tokens: { uat: stage.values.get('token.owner-uat')!, production: stage.values.get('token.owner-production')! },
  sessions,
});

const bodies = (host: HostName, bytes: number): Attack => ({
  name: `${COUNT} strangers send ${bytes} bytes at once to ${host}`,
  onMemory: true,
  play: async (attacker) => attacker.add(await memory.longBodies(victimOf(attacker), host, COUNT, bytes)),
});

const uploads = (form: 'JSON' | 'multipart', concurrency: number, limitMs: number): Attack => ({
  name: `${COUNT} files of 5 MB as ${form}, ${concurrency} at once`,
  onMemory: true,
  play: async (attacker) => {
    const many = { number: COUNT, atOnce: concurrency, bytes: memory.LARGEST_FILE_BYTES, limitMs };
    attacker.add(await memory.uploads(victimOf(attacker), form, many));
  },
});

const documents = (
  name: string,
  make: () => string,
  { number, repeated, atOnce: concurrency }: { number: number; repeated: number; atOnce: number },
): Attack => ({
  name: `${number} ${name}, ${repeated === 1 ? '' : `each ${repeated} times, `}${concurrency} at once`,
  onMemory: true,
  play: async (attacker) => {
    const many = { number, repeated, atOnce: concurrency, limitMs: DOCUMENTS_LIMIT_MS };
    attacker.add(await memory.documents(victimOf(attacker), 'uat', make, many));
  },
});

const unread = (host: HostName, behind = 0): Attack => ({
  name: `${COUNT} connections to ${host} read nothing of what is long${behind === 0 ? '' : ` and send ${behind} requests behind it`}`,
  onMemory: true,
  play: async (attacker) => {
    await memory.fetchOnce(attacker.stage.urls, host);
    const responses = new memory.UnreadResponses();
    await responses.open(attacker.stage.urls, host, COUNT, { behind });
    await responses.hold(HOLD_MS, () => !attacker.stage.service.isUp);
    attacker.add(responses.close());
  },
});

/** Attacks that exceed the memory of a process if it keeps their data. The process has its shipped size. */
export const attacksOnMemory: readonly Attack[] = [
  ...hostNames.flatMap((host) => [bodies(host, memory.LARGEST_BODY_BYTES), bodies(host, memory.SMALL_BODY_BYTES)]),
  uploads('JSON', 8, UPLOADS_LIMIT_MS),
  uploads('JSON', 48, UPLOADS_LIMIT_MS),
  uploads('multipart', 8, UPLOADS_LIMIT_MS),
  uploads('multipart', 48, UPLOADS_LIMIT_MS),
  documents('documents of one token', memory.aliasedDocument, { number: COUNT, repeated: 3, atOnce: 4 }),
  documents('documents of one token', memory.aliasedDocument, { number: COUNT, repeated: 3, atOnce: 24 }),
  documents('recharges with their values in the text', memory.rechargeInText, {
    number: 2 * COUNT,
    repeated: 1,
    atOnce: 24,
  }),
  {
    name: `invalid documents of ${NETWORKS} IPv6 networks on three hosts`,
    onMemory: true,
    kept: 1.1,
    play: (attacker) =>
      times(NETWORKS * hostNames.length, 16, (n) => {
        // from 2,340 networks, because a single one would soon be rejected
        const headers = { 'x-forwarded-for': `2001:${Math.floor(n / hostNames.length).toString(16)}::1` };
        return attacker.send(hostNames[n % hostNames.length]!, '/graphql', { body: invalidDocument(), headers });
      }),
  },
  ...hostsWithGraphiql.map((host) => unread(host)),
  unread('uat', memory.MOST_IN_ONE_READ),
];
