/* global GraphiQL, React, ReactDOM */
// The token of a link stands behind the "#", where no server and no log sees it; it does not stay in the history.
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const query = new URLSearchParams(location.search).get('query');
if (location.hash) history.replaceState(null, '', location.pathname + location.search);

// the history of queries holds their headers, and with them the token: it lives as long as the page
const past = new Map();
const isHistory = (key) => /:(queries|favorites)$/.test(key);
const storage = {
  getItem: (key) => (isHistory(key) ? (past.get(key) ?? null) : localStorage.getItem(key)),
  setItem: (key, value) => (isHistory(key) ? past.set(key, value) : localStorage.setItem(key, value)),
  removeItem: (key) => (isHistory(key) ? past.delete(key) : localStorage.removeItem(key)),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length;
  },
};

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: '/graphql' }),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    storage,
    ...(query ? { query } : {}),
    ...(token ? { headers: JSON.stringify({ authorization: `Bearer ${token}` }, null, 2) } : {}),
  }),
);
