import { type ReactNode, useSyncExternalStore } from 'react';
import { words } from './words.js';

function onChanged(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Notice on every page while the browser is offline. */
export function Offline(): ReactNode {
  const isOnline = useSyncExternalStore(onChanged, () => navigator.onLine);
  return isOnline ? null : (
    <p className="notice asks" role="status">
      {words.failure.offline}
    </p>
  );
}
