import 'reflect-metadata';

import { ObjectType, type ObjectTypeOptions } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { errorCatalogue } from '../core/error-catalogue.js';
import type { OperatorType } from '../core/operators.js';
import type { OnboardingStatus } from '../core/principal.js';
import { aboutServices } from '../core/services.js';
import { type WordOf, words } from './words.js';

/** An object type whose properties the engine reads itself; only its field resolvers are functions, and need a policy row. */
export const Output = (options: ObjectTypeOptions): ClassDecorator => ObjectType({ simpleResolvers: true, ...options });

/** GraphQL's names of the words that the code uses; the values are the words themselves. */
export const EnvironmentEnum = words<Environment>(
  'Environment',
  'The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own.',
  {
    uat: 'Sample data and play money; no provider is ever called.',
    production: 'Live providers and real money.',
  },
);

export const ServiceEnum = words('Service', 'What an admin enables per developer.', aboutServices);

export const ErrorCodeEnum = words(
  'ErrorCode',
  'Error code: a value of `extensions.code` of an error. Codes can be added.',
  Object.fromEntries(Object.entries(errorCatalogue).map(([code, { meaning }]) => [code, meaning])),
);

export const OperatorTypeEnum = words<OperatorType>('OperatorType', 'What is recharged.', {
  mobile: 'A prepaid mobile number.',
  dth: 'A satellite-TV subscription.',
});

export const OrderStatusEnum = words('OrderStatus', 'What is known of a recharge or payment.', {
  pending:
    'The outcome is not known yet and the money is held. Never create a new order: repeat the request with the same key.',
  success: 'Performed; the debit is final.',
  failed: 'Not performed; the money is in the wallet again.',
  reversed: 'Performed, and taken back later; the money is in the wallet again.',
});
export type OrderStatus = WordOf<typeof OrderStatusEnum>;

export const OnboardingStatusEnum = words<OnboardingStatus>('OnboardingStatus', 'How far an account has come.', {
  registered: 'Signed up; the email address is not confirmed.',
  email_verified: 'The address is confirmed; KYC is missing.',
  kyc_submitted: 'Waits for the decision of an admin or a reviewer.',
  kyc_changes_requested: 'A reviewer requested changes to the KYC submission. The owner submits it again.',
  approved: 'May create keys and call the UAT host.',
  rejected: 'Refused by an admin, with a reason.',
});
