import { type ReactNode, useSyncExternalStore } from 'react';
import { words } from './words.js';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Notice on every page while the browser is offline. */
export function Offline(): ReactNode {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return isOnline ? null : (
    <p className="notice asks" role="status">
      {words.failure.offline}
    </p>
  );
}
