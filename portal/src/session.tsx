import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { newClient } from './client.js';

const Forget = createContext<() => void>(() => {});

/** Whoever signs in or out starts with an empty memory: nobody sees what somebody else has read. */
export const useForget = (): (() => void) => useContext(Forget);

export function Session({ children }: { children: ReactNode }): ReactNode {
  const [client, setClient] = useState(newClient);
  const forget = useMemo(() => () => setClient(newClient()), []);
  return (
    <Forget value={forget}>
      <Provider value={client}>{children}</Provider>
    </Forget>
  );
}
