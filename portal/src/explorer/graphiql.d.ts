/** GraphiQL types that the portal uses. The packages are not dependencies; see `npm run libraries`. */
declare module 'graphiql' {
  import type { ReactNode } from 'react';

  export interface GraphqlRequest {
    query: string;
    operationName?: string | null;
    variables?: Record<string, unknown> | null;
  }
  export type Fetcher = (
    request: GraphqlRequest,
    options?: { headers?: Record<string, string> },
  ) => Promise<unknown> | AsyncIterable<unknown>;

  export function GraphiQL(props: {
    fetcher: Fetcher;
    storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'clear' | 'length'>;
    defaultQuery?: string;
    query?: string;
    headers?: string;
    defaultEditorToolsVisibility?: 'headers' | 'variables' | boolean;
    isHeadersEditorEnabled?: boolean;
    shouldPersistHeaders?: boolean;
    showPersistHeadersSettings?: boolean;
    children?: ReactNode;
  }): ReactNode;
  export namespace GraphiQL {
    function Logo(props: { children?: ReactNode }): ReactNode;
  }
}
declare module 'graphiql/style.css';
