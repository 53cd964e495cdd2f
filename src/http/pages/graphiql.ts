import { readFileSync } from 'node:fs';
import type { Surface } from '../../core/environment.js';
import { packageRoot } from '../../core/package-root.js';
import { escape } from './html.js';
import type { ServedDocument } from './static-documents.js';

/** Page that is created by the portal build. It shares its components with the explorer of the portal. */
const PAGE = new URL('dist/portal/graphiql.html', packageRoot);

/** Headers that allow content only from this host. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'x-robots-tag': 'noindex',
};

/** Initial document of the editor. It can be run with a token or a session. */
export const FIRST_DOCUMENTS: Readonly<Record<Surface, string>> = {
  api: `# 1. Add an access token under Headers, below:
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
    nodes {
      clientRequestId
      status
      amount
    }
  }
}
`,
  console: `# 1. Sign in from another tab:
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

/** Returns the explorer of hosts with introspection. It loads the files of `portalAssets`. */
export const graphiqlDocument = (surface: Surface): ServedDocument => ({
  path: '/graphiql',
  headers: HEADERS,
  text: () => readFileSync(PAGE, 'utf8').replace('{{first_document}}', () => escape(FIRST_DOCUMENTS[surface])),
});
