import { type ReactNode, useSyncExternalStore } from 'react';
import { type Client, Provider } from 'urql';
import { newClient } from './client.js';

let client = newClient();
const told = new Set<() => void>();

/** What asks the console for whoever is signed in now. */
export const currentClient = (): Client => client;

/** Whoever signs in or out starts with an empty memory: nobody sees what somebody else has read. */
export function forget(): void {
  client = newClient();
  for (const tell of told) tell();
}

function onForgotten(tell: () => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}

export function Session({ children }: { children: ReactNode }): ReactNode {
  return <Provider value={useSyncExternalStore(onForgotten, currentClient)}>{children}</Provider>;
}
