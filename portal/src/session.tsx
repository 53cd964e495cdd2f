import { type ReactNode, useSyncExternalStore } from 'react';
import { type Client, Provider } from 'urql';
import { newClient } from './client.js';

let client = newClient();
const listeners = new Set<() => void>();

/** What asks the console for whoever is signed in now. */
export const currentClient = (): Client => client;

/** The session is a cookie of the whole browser, so its other tabs are told. */
const tabs = new BroadcastChannel('session');

/** Whoever signs in or out starts with an empty memory: nobody sees what somebody else has read. */
export function forget(): void {
  client = newClient();
  for (const listener of listeners) listener();
  // a channel has no other target
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  tabs.postMessage('changed');
}

/** Somebody signed in or out in another tab. */
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
