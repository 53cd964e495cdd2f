import { useEffect } from 'react';
import { withoutMemory } from './client.js';
import { failureOf, isPassing } from './failure.js';
import { graphql } from './graphql.js';
import { onChangedElsewhere } from './session.js';

const WHO = graphql(`
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
export function useSamePerson(shown: string): void {
  useEffect(() => {
    async function check(isNotified: boolean): Promise<void> {
      const { data, error } = await withoutMemory.query(WHO, {}).toPromise();
      if (error && isPassing(failureOf(error))) return;
      const id = data?.viewer?.user.id;
      if (id === undefined ? isNotified : id !== shown) location.reload();
    }
    const onSessionChange = (): void => void check(true);
    const onVisible = (): void => {
      if (!document.hidden) void check(false);
    };
    addEventListener('focus', onVisible);
    document.addEventListener('visibilitychange', onVisible);
    const endListening = onChangedElsewhere(onSessionChange);
    return () => {
      removeEventListener('focus', onVisible);
      document.removeEventListener('visibilitychange', onVisible);
      endListening();
    };
  }, [shown]);
}
