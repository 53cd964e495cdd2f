/* global GraphiQL, React, ReactDOM */
// The token of a link stands behind the "#", where no server and no log sees it; it does not stay in the history.
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const query = new URLSearchParams(location.search).get('query');
if (location.hash) history.replaceState(null, '', location.pathname + location.search);

// The history of queries holds their headers, and with them the token: it lives as long as the page. So does what a link brought:
// nobody should find it among their own tabs later, or have it run with variables of theirs.
const short = new Map();
const livesShort = (key) =>
  (query ? /:(queries|favorites|tabState|query|variables|operationName)$/ : /:(queries|favorites)$/).test(key);
const storage = {
  getItem: (key) => (livesShort(key) ? (short.get(key) ?? null) : localStorage.getItem(key)),
  setItem: (key, value) => (livesShort(key) ? short.set(key, value) : localStorage.setItem(key, value)),
  removeItem: (key) => (livesShort(key) ? short.delete(key) : localStorage.removeItem(key)),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

// Whoever wrote a link chose its document, and it would run as the person who opened it. So that person sees the whole of it before
// its first run, blank lines that may have hidden it left out; and every other mutation too, which may be the same one, edited.
const essenceOf = (document) =>
  document.replace(/("{3}[^]*?"{3}|"(?:\\.|[^"\\\n])*")|#.*|[\s,\ufeff]+/g, (_, text) => text ?? ' ').trim();
const confirmed = new Set();
const needsConsent = (document) =>
  query && !confirmed.has(document) && (document === essenceOf(query) || /\bmutation\b/.test(document));

const dialog = document.getElementById('consent');
const askAbout = (text) =>
  new Promise((resolve) => {
    dialog.querySelector('pre').textContent = text.trim().replace(/\n\s*\n/g, '\n');
    dialog.returnValue = '';
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'run'), { once: true });
    dialog.showModal();
  });

// GraphiQL's own fetcher has subscriptions over WebSocket alone; here they are events of one answer. It knows the tree of a document
// only some time after a change, so the text has to say what it is: what stands outside of all braces.
function isSubscription({ query: document, operationName }) {
  let text = essenceOf(document).replace(/"{3}[^]*?"{3}|"(?:\\.|[^"\\\n])*"/g, '');
  for (let inner; (inner = text.replace(/[{(][^{}()]*[)}]/g, ' ')) !== text; ) text = inner;
  return new RegExp(`\\bsubscription\\b${operationName ? `\\s+${operationName}\\b` : ''}`).test(text);
}
function subscribe(request, headers) {
  const client = new AbortController();
  const results = resultsOf(request, headers, client.signal);
  const end = results.return.bind(results);
  // what waits for the next event would not hear of the end before that
  results.return = (value) => {
    client.abort();
    return end(value);
  };
  return results;
}
async function* resultsOf(request, headers, signal) {
  try {
    const answer = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      body: JSON.stringify(request),
      signal,
    });
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return yield await answer.json();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error('The connection was lost.');
      const events = (text + value).split('\n\n');
      text = events.pop();
      for (const event of events) {
        if (event.startsWith('event: complete')) return;
        const [, data] = event.match(/^event: next\ndata: (.*)/) ?? [];
        if (data) yield JSON.parse(data);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const send = GraphiQL.createFetcher({ url: '/graphql' });
const fetcher = async (request, options) => {
  const essence = essenceOf(request.query);
  if (needsConsent(essence)) {
    if (!(await askAbout(request.query))) return { errors: [{ message: 'Not sent.' }] };
    confirmed.add(essence);
  }
  const { headers } = options ?? {};
  return isSubscription(request) ? subscribe(request, headers) : send(request, { headers });
};

const place = document.getElementById('graphiql');
ReactDOM.createRoot(place).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: place.dataset.firstDocument,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    storage,
    ...(query ? { query } : {}),
    ...(token ? { headers: JSON.stringify({ authorization: `Bearer ${token}` }, null, 2) } : {}),
  }),
);
