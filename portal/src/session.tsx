import { type ReactNode, useSyncExternalStore } from 'react';
import { type Client, Provider } from 'urql';
import { newClient } from './client.js';

let client = newClient();
const listeners = new Set<() => void>();

/** Client of the current session. */
export const currentClient = (): Client => client;

/** Notifies other tabs, because the session cookie is shared by the browser. */
const tabs = new BroadcastChannel('session');

/** Replaces the client on sign-in and sign-out, so that no user sees cached data of another. */
export function forget(): void {
  client = newClient();
  for (const listener of listeners) listener();
  // A BroadcastChannel does not take a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('changed');
}

/** Listens for a sign-in or sign-out in another tab. */
export function onChangedElsewhere(listener: () => void): () => void {
  tabs.addEventListener('message', listener);
  return () => tabs.removeEventListener('message', listener);
}

function onForgotten(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Session({ children }: { children: ReactNode }): ReactNode {
  return <Provider value={useSyncExternalStore(onForgotten, currentClient)}>{children}</Provider>;
}
