import { type ReactNode, useSyncExternalStore } from 'react';
import { type Client, Provider } from 'urql';
import { newClient } from './client.js';

let client = newClient();
const listeners = new Set<() => void>();

export const currentClient = (): Client => client;

/** Channel that notifies other tabs, because all tabs of the browser share the session cookie. */
const tabs = new BroadcastChannel('session');

/** Replaces the client on sign-in and sign-out, so that no user sees cached data of another user. */
export function resetSession(): void {
  client = newClient();
  for (const listener of listeners) listener();
  // A BroadcastChannel does not take a target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('changed');
}

/** Calls the listener after a sign-in or sign-out in another tab. */
export function onOtherTabChange(listener: () => void): () => void {
  tabs.addEventListener('message', listener);
  return () => tabs.removeEventListener('message', listener);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Session({ children }: { children: ReactNode }): ReactNode {
  return <Provider value={useSyncExternalStore(subscribe, currentClient)}>{children}</Provider>;
}
