import { readFileSync } from 'node:fs';
import type { Surface } from '../../core/environment.js';
import { packageRoot } from '../../core/package-root.js';
import { escape } from './html.js';
import type { ServedDocument } from './static-documents.js';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Our own page. */
const PAGE: Readonly<Record<string, { file: string; type: string }>> = {
  '/graphiql': { file: 'portal/pages/graphiql.html', type: 'text/html; charset=utf-8' },
  '/graphiql/start.js': { file: 'portal/pages/graphiql.js', type: SCRIPT },
  '/graphiql/start.css': { file: 'portal/pages/graphiql.css', type: STYLE },
};

/** What the build took from the packages, megabytes of it. */
const LIBRARIES: Readonly<Record<string, { file: string; type: string }>> = {
  '/graphiql/graphiql.js': { file: 'dist/graphiql/graphiql.min.js', type: SCRIPT },
  '/graphiql/graphiql.css': { file: 'dist/graphiql/graphiql.min.css', type: STYLE },
  '/graphiql/react.js': { file: 'dist/graphiql/react.production.min.js', type: SCRIPT },
  '/graphiql/react-dom.js': { file: 'dist/graphiql/react-dom.production.min.js', type: SCRIPT },
};

/** Everything from this host, and nothing else. GraphiQL writes styles of its own. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex',
};

/** What a reader finds in the editor, and can run once they have a token or a session. */
export const FIRST_DOCUMENTS: Readonly<Record<Surface, string>> = {
  api: `# 1. Put a token into Headers, below:
#    {"authorization": "Bearer at_uat_…"}
# 2. Run this with Ctrl+Enter.
{
  me {
    name
    email
  }
  wallet {
    balance
    held
  }
  services {
    service
    enabled
    fee
  }
  orders(first: 3) {
    edges {
      node {
        clientRequestId
        status
        amount
      }
    }
  }
}
`,
  console: `# 1. Sign in, in another tab:
#    mutation { signIn(input: { email: "…", password: "…" }) { viewer { user { name } } } }
#    The browser keeps the session.
# 2. Run this with Ctrl+Enter.
{
  viewer {
    user {
      email
      role
    }
    developer {
      name
      onboardingStatus
      wallets {
        environment
        balance
      }
    }
  }
}
`,
};

/** The explorer of the hosts that answer questions about their schema. */
export const graphiqlDocuments = (surface: Surface): ServedDocument[] => [
  ...Object.entries(PAGE).map(([path, { file, type }]) => ({
    path,
    headers: { 'content-type': type, ...HEADERS },
    text: () =>
      readFileSync(new URL(file, packageRoot), 'utf8').replace('{{first_document}}', () =>
        escape(FIRST_DOCUMENTS[surface]),
      ),
  })),
  ...Object.entries(LIBRARIES).map(([path, { file, type }]) => ({
    path,
    headers: { 'content-type': type, ...HEADERS },
    file: new URL(file, packageRoot),
  })),
];
