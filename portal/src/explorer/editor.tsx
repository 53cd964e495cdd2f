import { type Fetcher, GraphiQL } from 'graphiql';
import { type ReactNode, useState } from 'react';
import 'graphiql/style.css';
import './explorer.css';
import { type Uat, UatRefusal, written } from '../uat.js';
import { words } from '../words.js';
import { fetcherOf, memoryStorage } from './fetcher.js';

/** GraphiQL over the UAT host. What is written in it is there until the page is loaded anew. */
export function Editor({ uat }: { uat: Uat }): ReactNode {
  const [given] = useState(() => ({
    fetcher: fetcherOf((body, headers, signal) => uat.post(body, headers, signal).catch(asAnswer)) satisfies Fetcher,
    storage: memoryStorage(written),
  }));
  return (
    <GraphiQL {...given} defaultQuery={words.explorer.first} isHeadersEditorEnabled={false}>
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>
  );
}

/** Why nothing was sent, in the place where answers are. */
function asAnswer(error: unknown): Response {
  if (!(error instanceof UatRefusal)) throw error;
  const { message, code, requestId } = error.failure;
  return Response.json({ errors: [{ message, extensions: { code, requestId } }] });
}
