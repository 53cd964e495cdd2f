/**
 * The paths of the portal's pages, in the words of its router, which takes them from here: what stands here is served, and nothing
 * else is. A path that nobody knows stays a 404 in JSON.
 */
export const portalPaths = {
  home: '/',
  signIn: '/sign-in',
  signUp: '/sign-up',
  forgot: '/forgot-password',
  verify: '/verify',
  resetPassword: '/reset-password',
  acceptInvitation: '/accept-invitation',
  confirmEmail: '/confirm-email',
  secondFactor: '/second-factor',
  security: '/security',
  onboarding: '/onboarding',
  orders: '/orders',
  wallet: '/wallet',
  keys: '/keys',
  services: '/services',
  webhooks: '/webhooks',
  deliveries: '/webhooks/deliveries',
  team: '/team',
  people: '/people',
  developers: '/developers',
  developer: '/developers/$developerId',
  developerWallet: '/developers/$developerId/wallet',
  access: '/access',
  kyc: '/kyc',
  kycReview: '/kyc/$developerId',
  proposals: '/proposals',
  review: '/review',
  providers: '/providers',
} as const;
