import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from './call.js';
import type { WorkKind } from './generated/documents.js';
import { graphql } from './graphql.js';
import { Icon, type IconName } from './icons.js';
import { isStaff, READS_KEYS, useViewer, type Viewer } from './people.js';
import { resetSession } from './session.js';
import { keysOfPage, withKeys } from './shortcuts.js';
import { words } from './words.js';
import { useWorkCount } from './work.js';

const SIGN_OUT = graphql(`
  mutation SignOut {
    signOut {
      signedOut
    }
  }
`);

export const Brand = (): ReactNode => (
  <span className="brand">
    <span className="mark" aria-hidden="true">
      ₹
    </span>
    {words.product}
  </span>
);

interface Item {
  to:
    | '/'
    | '/orders'
    | '/wallet'
    | '/onboarding'
    | '/keys'
    | '/services'
    | '/explorer'
    | '/webhooks'
    | '/webhooks/deliveries'
    | '/failed-emails'
    | '/kyc'
    | '/developers'
    | '/access'
    | '/approval-requests'
    | '/review'
    | '/differences'
    | '/audit'
    | '/attempts'
    | '/white-labels'
    | '/settings'
    | '/providers'
    | '/team'
    | '/activity'
    | '/people'
    | '/security';
  icon: IconName;
  name: string;
  /** Root field that requires a permission for this page. */
  permission?: string;
  /** Queues whose size is displayed. */
  work?: readonly WorkKind[];
}
type Group = [title: string | undefined, items: Item[]];

const { nav } = words;
const security: Item = { to: '/security', icon: 'shield', name: nav.security };
const orders = (name: string): Item => ({ to: '/orders', icon: 'list', name, permission: 'orders' });
/** Pages of the menu that the viewer has permission for. */
export const groupsOf = (viewer: Viewer): Group[] =>
  allGroups(viewer)
    .map(
      ([title, items]): Group => [
        title,
        items.filter(({ permission }) => permission === undefined || viewer.permissions.includes(permission)),
      ],
    )
    .filter(([, items]) => items.length > 0);
const allGroups = (viewer: Viewer): Group[] =>
  isStaff(viewer)
    ? [
        [undefined, [{ to: '/', icon: 'check', name: nav.work }]],
        [
          nav.accounts,
          [
            { to: '/kyc', icon: 'paper', name: nav.kyc, permission: 'approveDeveloper', work: ['KYC'] },
            { to: '/developers', icon: 'people', name: nav.developers },
            { to: '/access', icon: 'grid', name: nav.access },
            { to: '/people', icon: 'person', name: nav.people, permission: 'users' },
          ],
        ],
        [
          nav.money,
          [
            orders(nav.orders),
            {
              to: '/approval-requests',
              icon: 'two',
              name: nav.approvalRequests,
              permission: 'approvalRequests',
              work: ['APPROVAL_REQUEST'],
            },
            {
              to: '/review',
              icon: 'doubt',
              name: nav.review,
              permission: 'reviewOrders',
              work: ['REVIEW', 'STATUS_CONFLICT'],
            },
            {
              to: '/differences',
              icon: 'list',
              name: nav.differences,
              permission: 'statementDifferences',
              work: ['STATEMENT_DIFFERENCE'],
            },
            { to: '/providers', icon: 'plug', name: nav.providers, permission: 'providers' },
          ],
        ],
        [
          nav.system,
          [
            { to: '/audit', icon: 'book', name: nav.audit, permission: 'auditLog' },
            { to: '/attempts', icon: 'lock', name: nav.attempts, permission: 'securityEvents' },
            {
              to: '/webhooks/deliveries',
              icon: 'hook',
              name: nav.deliveries,
              permission: 'webhookDeliveries',
              work: ['FAILED_DELIVERY'],
            },
            {
              to: '/failed-emails',
              icon: 'mail',
              name: nav.failedEmails,
              permission: 'failedEmails',
              work: ['FAILED_EMAIL'],
            },
            { to: '/white-labels', icon: 'grid', name: nav.whiteLabels, permission: 'whiteLabels' },
            { to: '/settings', icon: 'gear', name: nav.settings, permission: 'defaultLeadCustomers' },
          ],
        ],
        [nav.account, [security]],
      ]
    : [
        [undefined, [{ to: '/', icon: 'home', name: nav.home }]],
        [
          nav.money,
          [orders(nav.transactions), { to: '/wallet', icon: 'wallet', name: nav.wallet, permission: 'orders' }],
        ],
        [
          nav.build,
          [
            { to: '/onboarding', icon: 'flag', name: nav.onboarding },
            { to: '/keys', icon: 'key', name: nav.keys, permission: READS_KEYS },
            { to: '/services', icon: 'coins', name: nav.services },
            { to: '/explorer', icon: 'find', name: nav.explorer, permission: 'createTestToken' },
            { to: '/webhooks', icon: 'hook', name: nav.webhooks, permission: READS_KEYS },
          ],
        ],
        [
          nav.account,
          [
            { to: '/team', icon: 'people', name: nav.team },
            { to: '/activity', icon: 'book', name: nav.activity },
            security,
          ],
        ],
      ];

/** Menu with the signed-in user. */
export function Side(): ReactNode {
  const viewer = useViewer();
  const countOf = useWorkCount();
  return (
    <div className="side">
      <Brand />
      <nav aria-label={nav.label}>
        {groupsOf(viewer).map(([title, items]) => (
          <div key={title ?? ''} className="group">
            {title === undefined ? null : <p className="group-title">{title}</p>}
            {items.map(({ to, icon, name, work = [] }) => (
              <Link
                key={to}
                to={to}
                title={withKeys(name, keysOfPage(to))}
                className="item"
                activeOptions={{ exact: to === '/', includeSearch: false }}
              >
                <Icon name={icon} />
                {name}
                <CountBadge count={countOf(work)} />
              </Link>
            ))}
          </div>
        ))}
        <div className="group">
          <p className="group-title">{nav.help}</p>
          <a className="item" href="/docs">
            <Icon name="book" />
            {nav.docs}
          </a>
          <a className="item" href="/graphiql">
            <Icon name="terminal" />
            {nav.consoleGraphql}
          </a>
        </div>
      </nav>
      <SignedInUser viewer={viewer} />
    </div>
  );
}

const CountBadge = ({ count }: { count: number }): ReactNode =>
  count === 0 ? null : <span className="waiting">{count}</span>;

function SignedInUser({ viewer }: { viewer: Viewer }): ReactNode {
  const call = useCall(SIGN_OUT);
  const navigate = useNavigate();
  async function signOut(): Promise<void> {
    const { failure } = await call.run({});
    if (failure && failure.code !== 'UNAUTHENTICATED') return;
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    resetSession();
  }
  return (
    <div className="who">
      <p>
        <strong>{viewer.user.name}</strong>
        <span className="quiet small">{viewer.developer?.name ?? words.roles[viewer.user.role]}</span>
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label={nav.signOut}
        title={nav.signOut}
        onClick={() => void signOut()}
      >
        <Icon name="out" />
      </button>
    </div>
  );
}
