// The page at `/graphiql` of the UAT host and the console, which asks its own host.
import { type Fetcher, GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './explorer.css';
import './page.css';
import { essenceOf, fetcherOf, memoryStorage } from './fetcher.js';

const dialogOf = (id: string): HTMLDialogElement => document.querySelector<HTMLDialogElement>(`#${id}`)!;
const answerOf = (dialog: HTMLDialogElement): Promise<string> =>
  new Promise((resolve) => {
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true });
    dialog.showModal();
  });

// The token of a link is behind the "#", where no server and no log sees it; it does not stay in the history. A link may come from
// anybody: it must not make its reader act for another account unnoticed. So an API token is used only after the reader agrees, and a
// session never: on the console, the browser's own cookie is the session.
const API_TOKEN = /^[ac]t_/;
const linked = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
const query = new URLSearchParams(location.search).get('query');
if (location.hash) history.replaceState(null, '', location.pathname + location.search);

// The history of queries holds their headers, and with them the token: it lives as long as the page. So does what a link brought:
// nobody should find it among their own tabs later, or have it run with variables of theirs.
const short = memoryStorage();
const placeOf = (key: string): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> =>
  (query ? /:(queries|favorites|tabState|query|variables|operationName)$/ : /:(queries|favorites)$/).test(key)
    ? short
    : localStorage;
const storage = {
  getItem: (key: string) => placeOf(key).getItem(key),
  setItem: (key: string, value: string) => placeOf(key).setItem(key, value),
  removeItem: (key: string) => placeOf(key).removeItem(key),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

// Whoever wrote a link chose its document, and it would run as the person who opened it. So that person sees the whole of it before
// its first run, blank lines that may have hidden it left out; and every other mutation too, which may be the same one, edited.
const confirmed = new Set<string>();
const needsConsent = (document: string): boolean =>
  query !== null && !confirmed.has(document) && (document === essenceOf(query) || /\bmutation\b/.test(document));

const askAbout = async (text: string): Promise<boolean> => {
  const dialog = dialogOf('consent');
  dialog.querySelector('pre')!.textContent = text.trim().replace(/\n\s*\n/g, '\n');
  return (await answerOf(dialog)) === 'run';
};

const send = fetcherOf((body, headers, signal) =>
  fetch('/graphql', { method: 'POST', headers, body, ...(signal ? { signal } : {}) }),
);
const fetcher: Fetcher = async (request, options) => {
  const essence = essenceOf(request.query);
  if (needsConsent(essence)) {
    if (!(await askAbout(request.query))) return { errors: [{ message: 'Not sent.' }] };
    confirmed.add(essence);
  }
  return send(request, options);
};

const token = API_TOKEN.test(linked) && (await answerOf(dialogOf('token'))) === 'use' ? linked : undefined;

const place = document.querySelector<HTMLElement>('#graphiql')!;
createRoot(place).render(
  <GraphiQL
    fetcher={fetcher}
    defaultQuery={place.dataset.firstDocument!}
    defaultEditorToolsVisibility="headers"
    shouldPersistHeaders={false}
    storage={storage}
    {...(query ? { query } : {})}
    {...(token ? { headers: JSON.stringify({ authorization: `Bearer ${token}` }, null, 2) } : {})}
  />,
);
