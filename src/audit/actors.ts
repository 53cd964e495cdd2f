/** Kinds of actors. The audit log stores `user:<id>`, `token:<developer id>` or a key of `listedActors`. */
export type ActorKind = 'user' | 'token' | 'command' | 'system';

/** Actors that are neither a user nor an account, by their stored value. */
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
  anonymous: { kind: 'system', name: 'Anonymous' },
} as const satisfies Readonly<Record<string, { kind: ActorKind; name: string }>>;

/** Parses a stored actor. An unrecognized value becomes a system actor with that value as its name. */
export function actorIn(text: string): { kind: ActorKind; name: string; userId?: string } {
  if (Object.hasOwn(listedActors, text)) return listedActors[text as keyof typeof listedActors];
  const userId = text.startsWith('user:') ? text.slice('user:'.length) : undefined;
  if (userId !== undefined) return { kind: 'user', name: 'Unknown user', userId };
  if (text.startsWith('token:')) return { kind: 'token', name: 'Application with a token' };
  return { kind: 'system', name: text };
}
