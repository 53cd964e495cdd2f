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
 * Another tab may have signed somebody else in: this one would show one account and work on another, so it starts anew. What somebody
 * has typed stays where it is still the same person, also when their session ended and they sign in again in another tab.
 */
export function useSamePerson(shown: string): void {
  useEffect(() => {
    async function look(isTold: boolean): Promise<void> {
      const { data, error } = await withoutMemory.query(WHO, {}).toPromise();
      if (error && isPassing(failureOf(error))) return;
      const id = data?.viewer?.user.id;
      if (id === undefined ? isTold : id !== shown) location.reload();
    }
    const isTold = (): void => void look(true);
    const isBack = (): void => {
      if (!document.hidden) void look(false);
    };
    addEventListener('focus', isBack);
    document.addEventListener('visibilitychange', isBack);
    const endListening = onChangedElsewhere(isTold);
    return () => {
      removeEventListener('focus', isBack);
      document.removeEventListener('visibilitychange', isBack);
      endListening();
    };
  }, [shown]);
}
