import { type Fetcher, GraphiQL } from 'graphiql';
import { type ReactNode, useState } from 'react';
import 'graphiql/style.css';
import './explorer.css';
import { editorStorage, type Uat, UatError } from '../uat.js';
import { words } from '../words.js';
import { fetcherOf, memoryStorage } from './fetcher.js';

/** GraphiQL for the UAT host. Its contents are kept until the page is reloaded. */
export function Editor({ uat }: { uat: Uat }): ReactNode {
  const [props] = useState(() => ({
    fetcher: fetcherOf((body, headers, signal) => uat.post(body, headers, signal).catch(asResponse)) satisfies Fetcher,
    storage: memoryStorage(editorStorage),
  }));
  return (
    <GraphiQL {...props} defaultQuery={words.explorer.first} isHeadersEditorEnabled={false}>
      <GraphiQL.Logo>{null}</GraphiQL.Logo>
    </GraphiQL>
  );
}

/** Converts an error of the test token to a response, so that the editor displays it. */
function asResponse(error: unknown): Response {
  if (!(error instanceof UatError)) throw error;
  const { message, code, requestId } = error.failure;
  return Response.json({ errors: [{ message, extensions: { code, requestId } }] });
}
