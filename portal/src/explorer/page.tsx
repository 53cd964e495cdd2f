// Page `/graphiql` of the UAT host and the console. It sends requests to its own host.
import { type Fetcher, GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './explorer.css';
import './page.css';
import { fetcherOf, memoryStorage, normalizeDocument } from './fetcher.js';

const dialogOf = (id: string): HTMLDialogElement => document.querySelector<HTMLDialogElement>(`#${id}`)!;
const resultOf = (dialog: HTMLDialogElement): Promise<string> =>
  new Promise((resolve) => {
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true });
    dialog.showModal();
  });

// Pattern of an API token. The token of a link is in the fragment, which is not sent to servers or logged, and it is removed from
// the history. A link must not make the user act for another account unnoticed. Therefore an API token is used only after the
// user confirms. A session token is never used, because the session in the console is the cookie of the browser.
const API_TOKEN = /^[ac]t_/;
const linkToken = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const query = new URLSearchParams(location.search).get('query');
if (location.hash) history.replaceState(null, '', location.pathname + location.search);

// The query history contains headers and therefore the token, so it is kept only in memory. Documents from a link are also kept
// only in memory, so that they do not appear among the user's own tabs later or run with the user's variables.
const temporaryStorage = memoryStorage();
const storageOf = (key: string): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> =>
  (query ? /:(queries|favorites|tabState|query|variables|operationName)$/ : /:(queries|favorites)$/).test(key)
    ? temporaryStorage
    : localStorage;
const storage = {
  getItem: (key: string) => storageOf(key).getItem(key),
  setItem: (key: string, value: string) => storageOf(key).setItem(key, value),
  removeItem: (key: string) => storageOf(key).removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

// The author of a link controls its document, which would run with the permissions of the user. Therefore the user must confirm
// the full document before its first run, displayed without blank lines that could hide a part of it. The same applies to any
// other mutation on this page, because it may be an edited version of that document.
const confirmedDocuments = new Set<string>();
const needsConsent = (document: string): boolean =>
  query !== null &&
  !confirmedDocuments.has(document) &&
  (document === normalizeDocument(query) || /\bmutation\b/.test(document));

const confirmRun = async (text: string): Promise<boolean> => {
  const dialog = dialogOf('consent');
  dialog.querySelector('pre')!.textContent = text.trim().replace(/\n\s*\n/g, '\n');
  return (await resultOf(dialog)) === 'run';
};

const send = fetcherOf((body, headers, signal) =>
  fetch('/graphql', { method: 'POST', headers, body, ...(signal ? { signal } : {}) }),
);
const fetcher: Fetcher = async (request, options) => {
  const normalized = normalizeDocument(request.query);
  if (needsConsent(normalized)) {
    if (!(await confirmRun(request.query))) return { errors: [{ message: 'Not sent.' }] };
    confirmedDocuments.add(normalized);
  }
  return send(request, options);
};

const token = API_TOKEN.test(linkToken) && (await resultOf(dialogOf('token'))) === 'use' ? linkToken : undefined;

const container = document.querySelector<HTMLElement>('#graphiql')!;
createRoot(container).render(
  <GraphiQL
    fetcher={fetcher}
    defaultQuery={container.dataset.firstDocument!}
    defaultEditorToolsVisibility="headers"
    shouldPersistHeaders={false}
    storage={storage}
    {...(query ? { query } : {})}
    {...(token ? { headers: JSON.stringify({ authorization: `Bearer ${token}` }, null, 2) } : {})}
  />,
);
