/** Who can act, in the words that the audit log writes: `user:<id>`, `token:<id of the developer>`, or one that is listed here. */
export type ActorKind = 'user' | 'token' | 'command' | 'system';

/** Those that are no person and no account, by what the audit log writes. */
export const listedActors = {
  'system:seed': { kind: 'command', name: 'npm start' },
  'system:cli': { kind: 'command', name: 'gateway user' },
  'system:developer': { kind: 'command', name: 'gateway developer' },
  'system:audit': { kind: 'command', name: 'gateway audit' },
  'system:archive': { kind: 'command', name: 'gateway archive' },
  'system:restore': { kind: 'command', name: 'gateway restore' },
  'system:ledger': { kind: 'command', name: 'gateway ledger' },
  'system:secrets': { kind: 'command', name: 'gateway secrets' },
  'system:rotate-keys': { kind: 'command', name: 'gateway rotate-keys' },
  'system:webhooks': { kind: 'system', name: 'Webhooks' },
  anonymous: { kind: 'system', name: 'Not signed in' },
} as const satisfies Readonly<Record<string, { kind: ActorKind; name: string }>>;

/** What the audit log writes of an actor, taken apart. One that nobody listed is the system's, under what is written. */
export function actorIn(text: string): { kind: ActorKind; name: string; userId?: string } {
  if (Object.hasOwn(listedActors, text)) return listedActors[text as keyof typeof listedActors];
  const userId = text.startsWith('user:') ? text.slice('user:'.length) : undefined;
  if (userId !== undefined) return { kind: 'user', name: 'Unknown user', userId };
  if (text.startsWith('token:')) return { kind: 'token', name: 'A program with a token' };
  return { kind: 'system', name: text };
}
