import { useEffect } from 'react';
import { uncachedClient } from './client.js';
import { failureOf, isTransient } from './failure.js';
import { graphql } from './graphql.js';
import { onOtherTabChange } from './session.js';

const VIEWER_ID = graphql(`
  query WhoIsSignedIn {
    viewer {
      user {
        id
      }
    }
  }
`);

/**
 * Reloads the page if another tab has signed in as another user: otherwise this tab would show one account and change
 * another. Keeps the input if the same user signs in again after the session ended.
 */
export function useSamePerson(userId: string): void {
  useEffect(() => {
    async function check(isNotified: boolean): Promise<void> {
      const { data, error } = await uncachedClient.query(VIEWER_ID, {}).toPromise();
      if (error && isTransient(failureOf(error))) return;
      const id = data?.viewer?.user.id;
      if (id === undefined ? isNotified : id !== userId) location.reload();
    }
    const onSessionChange = (): void => void check(true);
    const onVisible = (): void => {
      if (!document.hidden) void check(false);
    };
    addEventListener('focus', onVisible);
    document.addEventListener('visibilitychange', onVisible);
    const endListening = onOtherTabChange(onSessionChange);
    return () => {
      removeEventListener('focus', onVisible);
      document.removeEventListener('visibilitychange', onVisible);
      endListening();
    };
  }, [userId]);
}
