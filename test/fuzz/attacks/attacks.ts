import { setTimeout as sleep } from 'node:timers/promises';
import type { HostName } from '../case.js';
import { hostNames } from '../case.js';
import { hostileShapes } from '../generate/hostile-documents.js';
import { type Attacker, times } from './attacker.js';
import { attacksOnMemory } from './attacks-on-memory.js';
import { unresponsiveWebhooks } from './unresponsive-webhooks.js';

/** Levels of fragments that double: a service that expands them does not finish above 22. */
const FRAGMENTS = Number(process.env.ATTACK_FRAGMENTS ?? 120);
const UNFINISHED = 2_010;
const HOLD_MS = 20_000;
const DRIBBLE_MS = 2_000;
const TOKEN_PATH = '/api/v1/auth/client-credentials';

const issue = (clientId: string): object => ({ client_id: clientId, api_secret: 'wrong', environment: 'uat' });
const signIn = (email: string): object => ({
  query: 'mutation($input: SignInInput!) { signIn(input: $input) { token } }',
  variables: { input: { email, password: 'Summer2026!wrong' } },
});
const hostsWithIntrospection: readonly HostName[] = ['uat', 'console'];

export interface Attack {
  name: string;
  /** The attack targets memory: memory in use afterwards is checked, and an honest caller may have to retry. */
  onMemory?: true;
  /** Maximum memory in use after an attack on memory, as a multiple of the value before. */
  kept?: number;
  play: (attacker: Attacker) => Promise<void>;
}

/** Attacks by a person who knows the interface well. Each is bounded in number and time. */
export const attacks: readonly Attack[] = [
  {
    name: 'no attack, for comparison',
    play: () => sleep(3_000),
  },
  {
    name: 'doubling fragments, POST',
    play: async (attacker) => {
      const query = hostileShapes.doublingFragments!(FRAGMENTS, '');
      for (const host of hostNames) await times(3, 1, () => attacker.send(host, '/graphql', { body: { query } }));
    },
  },
  {
    name: 'doubling fragments, GET',
    play: async (attacker) => {
      const query = encodeURIComponent(hostileShapes.doublingFragments!(FRAGMENTS, ''));
      for (const host of hostsWithIntrospection)
        await times(3, 1, () => attacker.send(host, `/graphql?query=${query}`));
    },
  },
  {
    name: 'overlapping fragments',
    play: async (attacker) => {
      const body = { query: hostileShapes.overlapping!(60, 'me{id name}') };
      await times(100, 16, () => attacker.send('uat', '/graphql', { body }));
    },
  },
  {
    name: `${UNFINISHED} unfinished bodies`,
    play: async (attacker) => {
      attacker.openUnfinished('uat', '/graphql', UNFINISHED / 2);
      attacker.openUnfinished('uat', TOKEN_PATH, UNFINISHED / 2);
      for (let elapsedMs = 0; elapsedMs < HOLD_MS; elapsedMs += DRIBBLE_MS) {
        await sleep(DRIBBLE_MS);
        attacker.sendByte();
      }
      attacker.note = attacker.connectionSummary();
    },
  },
  {
    name: '9,999 years of statements',
    play: async (attacker) => {
      const path = '/api/v1/wallet/statement.csv?from=0001-01-01&to=9999-12-31';
      await times(3, 1, () => attacker.send('uat', path, { token: 'owner-uat' }));
      const days = Array.from({ length: 2 }, (_, n) => `a${n}:days(from:"0001-01-01",to:"9999-12-31"){date}`).join(' ');
      await attacker.send('uat', '/graphql', { token: 'owner-uat', body: { query: `{wallet{${days}}}` } });
    },
  },
  {
    name: 'guessing a secret with forged addresses',
    play: async (attacker) => {
      const body = issue(attacker.stage.values.get('clientId.uat')!);
      await times(200, 8, (n) =>
        // the proxy adds the last address; those before it are claims of the client
        attacker.send('uat', TOKEN_PATH, { body, headers: { 'x-forwarded-for': `9.9.${n % 250}.7, 203.0.113.20` } }),
      );
    },
  },
  {
    name: 'one password for 300 email addresses',
    play: async (attacker) => {
      await times(300, 64, (n) => attacker.send('console', '/graphql', { body: signIn(`person-${n}@corp.example`) }));
    },
  },
  {
    name: 'introspection, amplified',
    play: async (attacker) => {
      const part = 'types{name description fields{name description args{name type{name}} type{name ofType{name}}}}';
      for (const aliases of [14, 1]) {
        const query = `{${Array.from({ length: aliases }, (_, n) => `a${n}:__schema{${part}}`).join(' ')}}`;
        await times(120, 16, (n) => attacker.send(hostsWithIntrospection[n % 2]!, '/graphql', { body: { query } }));
      }
    },
  },
  {
    name: '64 KB of unknown field names',
    play: async (attacker) => {
      const names = Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`k${n}`, 1]));
      const query = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }';
      await times(60, 8, () =>
        attacker.send('uat', '/graphql', { token: 'owner-uat', body: { query, variables: { input: names } } }),
      );
    },
  },
  {
    name: '20,000 invalid items in a list',
    play: async (attacker) => {
      const query =
        'query($n: [String!]) { operatorFind(input: {mobile: "9876543210", clientRequestId: "list"}) { plans { groups(names: $n) { name } } } }';
      const variables = { n: Array.from({ length: 20_000 }, () => 1) };
      await times(40, 8, () => attacker.send('uat', '/graphql', { token: 'owner-uat', body: { query, variables } }));
    },
  },
  {
    name: 'a provider with 110,000 plans',
    play: async (attacker) => {
      const body = { mobile: '9468455123', opcode: 'BT', circle: '96' };
      await times(5, 1, (n) =>
        attacker.send('production', '/api/v1/plan/operator-plan-fetch', {
          token: 'owner-production',
          body: { ...body, orderid: `plans-${n}` },
        }),
      );
    },
  },
  { name: 'dead webhook endpoints', play: unresponsiveWebhooks },
  ...attacksOnMemory,
];
