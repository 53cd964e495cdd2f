import 'reflect-metadata';

import { ObjectType, type ObjectTypeOptions } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { errorCatalogue } from '../core/error-catalogue.js';
import type { OperatorType } from '../core/operators.js';
import type { OnboardingStatus } from '../core/principal.js';
import { aboutServices } from '../core/services.js';
import { type WordOf, words } from './words.js';

/**
 * Declares an object type whose properties the engine reads directly. Only its field resolvers are functions and need a policy
 * row.
 */
export const Output = (options: ObjectTypeOptions): ClassDecorator => ObjectType({ simpleResolvers: true, ...options });

/** Enums of the graph. Their values are the strings used in the code. */
export const EnvironmentEnum = words<Environment>(
  'Environment',
  'Environment of the API. Each environment has its own host, credentials, tokens and wallet.',
  {
    uat: 'Sample data and test funds. No provider is ever called.',
    production: 'Live providers and real money.',
  },
);

export const ServiceEnum = words('Service', 'Service that an admin can enable for a developer.', aboutServices);

export const ErrorCodeEnum = words(
  'ErrorCode',
  'Error code in `extensions.code` of an error. New codes can be added.',
  Object.fromEntries(Object.entries(errorCatalogue).map(([code, { meaning }]) => [code, meaning])),
);

export const OperatorTypeEnum = words<OperatorType>('OperatorType', 'Type of connection to recharge.', {
  mobile: 'Prepaid mobile number.',
  dth: 'Satellite TV (DTH) subscription.',
});

export const OrderStatusEnum = words('OrderStatus', 'Status of a recharge or bill payment.', {
  pending:
    'The outcome is not known yet and the amount is held. Never create a new order. Retry the request with the same idempotency key.',
  success: 'The order succeeded and the debit is final.',
  failed: 'The order failed and the amount was refunded to the wallet.',
  reversed: 'The order succeeded and was reversed later. The amount was refunded to the wallet.',
});
export type OrderStatus = WordOf<typeof OrderStatusEnum>;

export const OnboardingStatusEnum = words<OnboardingStatus>('OnboardingStatus', 'Onboarding status of an account.', {
  registered: 'Signed up. The email address is not confirmed yet.',
  email_verified: 'The email address is confirmed. KYC has not been submitted.',
  kyc_submitted: 'KYC is submitted and under review.',
  kyc_changes_requested: 'A reviewer requested changes to the KYC submission. The owner submits it again.',
  approved: 'Approved. The account can create API keys and call the UAT host.',
  rejected: 'An admin rejected the account and gave a reason.',
});
