import { wholeSeconds } from '../../core/clock.js';
import { graphql, type RestRoute, route } from '../route.js';

const lowerCase = (words: readonly string[]): string[] => words.map((word) => word.toLowerCase());

/** Token and account paths (interface.md 4.1 and 4.2). */
export const authRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/auth/client-credentials',
    document: graphql(`
      mutation IssueToken($input: IssueTokenInput!) {
        result: issueToken(input: $input) {
          token
          tokenType
          environment
          baseUrl
          expiresAt
          account { accountNumber name email }
        }
      }
    `),
    codes: [
      'INVALID_CREDENTIALS',
      'WRONG_HOST',
      'TOO_MANY_FAILED_EXCHANGES',
      'SUSPENDED',
      'ONBOARDING_INCOMPLETE',
      'PRODUCTION_LOCKED',
    ],
    fields: {
      client_id: { to: 'input.clientId', kind: 'text' },
      api_secret: { to: 'input.apiSecret', kind: 'text' },
      environment: {
        to: 'input.environment',
        kind: { uat: 'UAT', production: 'PRODUCTION' },
        aliases: { live: 'PRODUCTION', prod: 'PRODUCTION' },
      },
      device_name: { to: 'input.deviceName', kind: 'text', optional: true },
    },
    example: { client_id: 'cid_uat_…', api_secret: 'sk_uat_…', environment: 'uat', device_name: 'till 4' },
    inProduction: { client_id: 'cid_live_…', api_secret: 'sk_live_…', environment: 'production' },
    toResponse: ({ token, tokenType, environment, baseUrl, expiresAt, account: { accountNumber, name, email } }) => ({
      body: {
        token,
        token_type: tokenType,
        environment: environment.toLowerCase(),
        base_url: baseUrl,
        expires_at: wholeSeconds(expiresAt),
        user: { id: accountNumber, name, email },
      },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/v1/auth/me',
    document: graphql(`
      query Me {
        result: me { accountNumber name email roles permissions }
      }
    `),
    fields: {},
    example: {},
    toResponse: ({ accountNumber, name, email, roles, permissions }) => ({
      body: { id: accountNumber, name, email, roles: lowerCase(roles), permissions: lowerCase(permissions) },
    }),
  }),
];
