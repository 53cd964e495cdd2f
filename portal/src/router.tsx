import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from '@tanstack/react-router';
import { portalPaths as paths } from '../../src/http/pages/portal-paths.js';
import { attemptSearch } from './attempt-search.js';
import { activitySearch, auditSearch } from './audit-search.js';
import { deliverySearch } from './delivery-search.js';
import { developerSearch } from './developer-search.js';
import { differenceSearch } from './difference-search.js';
import { Frame, loadViewer } from './frame.js';
import type { Environment } from './generated/documents.js';
import type { PageSearch } from './list.js';
import { NotFound } from './not-found.js';
import { orderSearch, textIn } from './order-search.js';
import { Problem } from './parts.js';
import { approvalRequestSearch, reviewSearch } from './review-search.js';
import { walletSearch } from './wallet-search.js';
import { words } from './words.js';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Search parameters of all pages. Links keep the environment. */
interface RootSearch {
  environment?: Environment | undefined;
  /** Whether the drawer of API calls is open, or the name of the call that it shows. */
  calls?: string | true | undefined;
}
const root = createRootRoute({
  component: Outlet,
  validateSearch: ({ environment, calls }: Record<string, unknown>): RootSearch => ({
    environment: environment === 'UAT' || environment === 'PRODUCTION' ? environment : undefined,
    calls: calls === true ? true : text(calls),
  }),
  search: { middlewares: [retainSearchParams<RootSearch>(['environment'])] },
});
const frameRoute = createRoute({ getParentRoute: () => root, id: 'framed', loader: loadViewer, component: Frame });

/** Reads the page to open after sign-in. Allows only paths of this portal, to prevent open redirects. */
const ownPath = (value: unknown): string | undefined => {
  const path = text(value);
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
};

/** The result always contains `to`, because the router would keep the raw value of a missing parameter. */
const returnSearch = (search: Record<string, unknown>): { to?: string | undefined } => ({ to: ownPath(search.to) });

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: returnSearch,
  component: lazyRouteComponent(() => import('./pages/sign-in.js'), 'SignIn'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: paths.signUp,
  component: lazyRouteComponent(() => import('./pages/sign-up.js'), 'SignUp'),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: paths.forgot,
  component: lazyRouteComponent(() => import('./pages/sign-up.js'), 'Forgot'),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: paths.verify,
  component: lazyRouteComponent(() => import('./pages/mailed.js'), 'Verify'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  component: lazyRouteComponent(() => import('./pages/mailed.js'), 'ResetPassword'),
});
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: paths.acceptInvitation,
  component: lazyRouteComponent(() => import('./pages/mailed.js'), 'AcceptInvitation'),
});
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  component: lazyRouteComponent(() => import('./pages/mailed.js'), 'ConfirmEmail'),
});
const secondFactor = createRoute({
  getParentRoute: () => root,
  path: paths.secondFactor,
  validateSearch: returnSearch,
  component: lazyRouteComponent(() => import('./pages/second-factor.js'), 'SecondFactorPage'),
});
const home = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.home,
  validateSearch: ({ order }: Record<string, unknown>): { order?: string | undefined } => ({ order: textIn(order) }),
  component: lazyRouteComponent(() => import('./pages/home.js'), 'Home'),
});
const security = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.security,
  component: lazyRouteComponent(() => import('./pages/security.js'), 'Security'),
});
const orders = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.orders,
  validateSearch: orderSearch,
  component: lazyRouteComponent(() => import('./pages/orders.js'), 'Orders'),
});
const wallet = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.wallet,
  validateSearch: walletSearch,
  component: lazyRouteComponent(() => import('./pages/wallet.js'), 'OwnWallet'),
});
const keys = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.keys,
  component: lazyRouteComponent(() => import('./pages/keys.js'), 'Keys'),
});
const cancelKey = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.cancelKey,
  validateSearch: ({ key }: Record<string, unknown>): { key?: string | undefined } => ({ key: textIn(key) }),
  component: lazyRouteComponent(() => import('./pages/cancel.js'), 'CancelKeyPage'),
});
const onboarding = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.onboarding,
  component: lazyRouteComponent(() => import('./pages/onboarding.js'), 'Onboarding'),
});
const services = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.services,
  component: lazyRouteComponent(() => import('./pages/services.js'), 'Services'),
});
const explorer = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.explorer,
  component: lazyRouteComponent(() => import('./pages/explorer.js'), 'Explorer'),
});

const webhooks = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.webhooks,
  validateSearch: ({ developer: developerId }: Record<string, unknown>): { developer?: string | undefined } => ({
    developer: textIn(developerId),
  }),
  component: lazyRouteComponent(() => import('./pages/webhooks.js'), 'Webhooks'),
});
const cancelEndpoint = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.cancelEndpoint,
  validateSearch: ({ endpoint }: Record<string, unknown>): { endpoint?: string | undefined } => ({
    endpoint: textIn(endpoint),
  }),
  component: lazyRouteComponent(() => import('./pages/cancel.js'), 'CancelEndpointPage'),
});
const deliveries = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.deliveries,
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./pages/deliveries.js'), 'DeliveryLog'),
});
const failedEmails = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.failedEmails,
  validateSearch: ({ after, before }: Record<string, unknown>): PageSearch => ({
    after: textIn(after),
    before: textIn(before),
  }),
  component: lazyRouteComponent(() => import('./pages/failed-emails.js'), 'FailedEmails'),
});

const differences = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.differences,
  validateSearch: differenceSearch,
  component: lazyRouteComponent(() => import('./pages/differences.js'), 'Differences'),
});

/** User that the drawer displays and, for staff, developer of the team. */
interface TeamSearch {
  user?: string | undefined;
  developer?: string | undefined;
}
const team = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.team,
  validateSearch: ({ user, developer: developerId }: Record<string, unknown>): TeamSearch => ({
    user: textIn(user),
    developer: textIn(developerId),
  }),
  component: lazyRouteComponent(() => import('./pages/team.js'), 'Team'),
});
const activity = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.activity,
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('./pages/activity.js'), 'Activity'),
});
const people = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.people,
  validateSearch: ({ user }: Record<string, unknown>): { user?: string | undefined } => ({ user: textIn(user) }),
  component: lazyRouteComponent(() => import('./pages/team.js'), 'Staff'),
});

const developers = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.developers,
  validateSearch: developerSearch,
  component: lazyRouteComponent(() => import('./pages/developers.js'), 'Developers'),
});
const developer = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.developer,
  component: lazyRouteComponent(() => import('./pages/developer.js'), 'DeveloperPage'),
});
const kyc = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.kyc,
  validateSearch: ({ after, before }: Record<string, unknown>): PageSearch => ({
    after: text(after),
    before: text(before),
  }),
  component: lazyRouteComponent(() => import('./pages/kyc.js'), 'KycQueue'),
});
const kycReview = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.kycReview,
  component: lazyRouteComponent(() => import('./pages/kyc-review.js'), 'KycReview'),
});
const developerWallet = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.developerWallet,
  validateSearch: walletSearch,
  component: lazyRouteComponent(() => import('./pages/wallet.js'), 'DeveloperWallet'),
});
const access = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.access,
  validateSearch: developerSearch,
  component: lazyRouteComponent(() => import('./pages/access.js'), 'Access'),
});

const approvalRequests = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.approvalRequests,
  validateSearch: approvalRequestSearch,
  component: lazyRouteComponent(() => import('./pages/approval-requests.js'), 'ApprovalRequests'),
});

const review = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.review,
  validateSearch: reviewSearch,
  component: lazyRouteComponent(() => import('./pages/review.js'), 'Review'),
});
const providers = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.providers,
  component: lazyRouteComponent(() => import('./pages/providers.js'), 'Providers'),
});

const audit = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.audit,
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./pages/audit.js'), 'Audit'),
});
const attempts = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.attempts,
  validateSearch: attemptSearch,
  component: lazyRouteComponent(() => import('./pages/failed-attempts.js'), 'FailedAttempts'),
});
const whiteLabels = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.whiteLabels,
  component: lazyRouteComponent(() => import('./pages/white-labels.js'), 'WhiteLabels'),
});
const settings = createRoute({
  getParentRoute: () => frameRoute,
  path: paths.settings,
  component: lazyRouteComponent(() => import('./pages/settings.js'), 'Settings'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signUp,
    forgot,
    verify,
    resetPassword,
    acceptInvitation,
    confirmEmail,
    secondFactor,
    frameRoute.addChildren([
      home,
      security,
      orders,
      wallet,
      onboarding,
      keys,
      cancelKey,
      services,
      explorer,
      webhooks,
      cancelEndpoint,
      deliveries,
      failedEmails,
      differences,
      kyc,
      kycReview,
      team,
      activity,
      people,
      developers,
      developer,
      developerWallet,
      access,
      approvalRequests,
      review,
      audit,
      attempts,
      whiteLabels,
      settings,
      providers,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: false,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: () => (
    <Problem failure={{ code: 'INTERNAL', message: words.failure.pageError, requestId: undefined, fields: {} }} />
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
