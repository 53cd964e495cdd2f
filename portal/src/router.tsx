import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  retainSearchParams,
} from '@tanstack/react-router';
import { portalPaths as paths } from '../../src/http/pages/portal-paths.js';
import { Frame } from './frame.js';
import type { Environment, OnboardingStatus, ProposalAction, ProposalState, Provider } from './generated/documents.js';
import { Empty, Problem } from './parts.js';
import { words } from './words.js';

/** Every link keeps it, so that one choice holds for all pages. */
interface Everywhere {
  environment?: Environment | undefined;
}
const root = createRootRoute({
  component: Outlet,
  validateSearch: ({ environment }: Record<string, unknown>): Everywhere =>
    environment === 'UAT' || environment === 'PRODUCTION' ? { environment } : { environment: undefined },
  search: { middlewares: [retainSearchParams<Everywhere>(['environment'])] },
});
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Frame });

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Where to go on after signing in: a page of this portal, and no address that somebody else has put into a link. */
const ownPath = (value: unknown): string | undefined => {
  const path = text(value);
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
};

/** Named in any case: a parameter that is left out here would be shown as it was written. */
const backTo = (search: Record<string, unknown>): { to?: string | undefined } => ({ to: ownPath(search.to) });

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: backTo,
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
  validateSearch: backTo,
  component: lazyRouteComponent(() => import('./pages/second-factor.js'), 'SecondFactorPage'),
});
const home = createRoute({
  getParentRoute: () => framed,
  path: paths.home,
  component: lazyRouteComponent(() => import('./pages/home.js'), 'Home'),
});
const security = createRoute({
  getParentRoute: () => framed,
  path: paths.security,
  component: lazyRouteComponent(() => import('./pages/security.js'), 'Security'),
});
const keys = createRoute({
  getParentRoute: () => framed,
  path: paths.keys,
  component: lazyRouteComponent(() => import('./pages/keys.js'), 'Keys'),
});
const services = createRoute({
  getParentRoute: () => framed,
  path: paths.services,
  component: lazyRouteComponent(() => import('./pages/services.js'), 'Services'),
});

export interface DeveloperSearch {
  search?: string | undefined;
  status?: OnboardingStatus | undefined;
  live?: true | undefined;
  suspended?: true | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

/** Filters stand in the address: a link shows what its sender saw. */
function developerSearch(search: Record<string, unknown>): DeveloperSearch {
  const status = text(search.status);
  return {
    search: text(search.search),
    status: status && status in words.statuses ? (status as OnboardingStatus) : undefined,
    live: search.live === true ? true : undefined,
    suspended: search.suspended === true ? true : undefined,
    after: text(search.after),
    before: text(search.before),
  };
}
const developers = createRoute({
  getParentRoute: () => framed,
  path: paths.developers,
  validateSearch: developerSearch,
  component: lazyRouteComponent(() => import('./pages/developers.js'), 'Developers'),
});
const developer = createRoute({
  getParentRoute: () => framed,
  path: paths.developer,
  component: lazyRouteComponent(() => import('./pages/developer.js'), 'DeveloperPage'),
});
const access = createRoute({
  getParentRoute: () => framed,
  path: paths.access,
  validateSearch: developerSearch,
  component: lazyRouteComponent(() => import('./pages/access.js'), 'Access'),
});

/** A value of one of the console's lists, which are keys of words. */
const oneOf = <Words extends object>(known: Words, value: unknown): keyof Words | undefined =>
  typeof value === 'string' && Object.hasOwn(known, value) ? (value as keyof Words) : undefined;

export interface ProposalSearch {
  state?: ProposalState | undefined;
  action?: ProposalAction | undefined;
  mine?: true | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The one that is open beside the list. */
  proposal?: string | undefined;
}
const proposals = createRoute({
  getParentRoute: () => framed,
  path: paths.proposals,
  validateSearch: (search: Record<string, unknown>): ProposalSearch => ({
    state: oneOf(words.proposalStates, search.state),
    action: oneOf(words.proposalActions, search.action),
    mine: search.mine === true ? true : undefined,
    after: text(search.after),
    before: text(search.before),
    proposal: text(search.proposal),
  }),
  component: lazyRouteComponent(() => import('./pages/proposals.js'), 'Proposals'),
});

export interface ReviewSearch {
  provider?: Provider | undefined;
  /** Placed at least so many hours ago. */
  hours?: number | undefined;
  contradicted?: boolean | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** The one whose evidence is open beside the list. */
  order?: string | undefined;
}
const review = createRoute({
  getParentRoute: () => framed,
  path: paths.review,
  validateSearch: (search: Record<string, unknown>): ReviewSearch => ({
    provider: oneOf(words.performers, search.provider),
    hours: Number.isInteger(search.hours) && Number(search.hours) > 0 ? Number(search.hours) : undefined,
    contradicted: typeof search.contradicted === 'boolean' ? search.contradicted : undefined,
    after: text(search.after),
    before: text(search.before),
    order: text(search.order),
  }),
  component: lazyRouteComponent(() => import('./pages/review.js'), 'Review'),
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
    framed.addChildren([home, security, keys, services, developers, developer, access, proposals, review]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: false,
  defaultNotFoundComponent: () => <Empty action={<Link to="/">{words.nav.home}</Link>}>{words.failure.noPage}</Empty>,
  defaultErrorComponent: () => (
    <Problem failure={{ code: 'INTERNAL', message: words.failure.broken, requestId: undefined, fields: {} }} />
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
