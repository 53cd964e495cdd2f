import 'reflect-metadata';

import { ObjectType, type ObjectTypeOptions, registerEnumType } from 'type-graphql';
import { errorCatalogue } from '../core/error-catalogue.js';
import { aboutServices, services } from '../core/services.js';

/** An object type whose properties the engine reads itself; only its field resolvers are functions, and need a policy row. */
export const Output = (options: ObjectTypeOptions): ClassDecorator => ObjectType({ simpleResolvers: true, ...options });

/** GraphQL's names of the words that the code uses; the values are the words themselves. */
export const EnvironmentEnum = { UAT: 'uat', PRODUCTION: 'production' } as const;
registerEnumType(EnvironmentEnum, {
  name: 'Environment',
  description: 'The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own.',
  valuesConfig: {
    UAT: { description: 'Sample data and play money; no provider is ever called.' },
    PRODUCTION: { description: 'Live providers and real money.' },
  },
});

export const ServiceEnum = Object.fromEntries(services.map((service) => [service.toUpperCase(), service]));
registerEnumType(ServiceEnum, {
  name: 'Service',
  description: 'What an admin enables per developer.',
  valuesConfig: Object.fromEntries(
    services.map((service) => [service.toUpperCase(), { description: aboutServices[service] }]),
  ),
});

export const ErrorCodeEnum = Object.fromEntries(Object.keys(errorCatalogue).map((code) => [code, code]));
registerEnumType(ErrorCodeEnum, {
  name: 'ErrorCode',
  description: 'Why something was refused or failed: the codes of `extensions.code`.',
  valuesConfig: Object.fromEntries(
    Object.entries(errorCatalogue).map(([code, { meaning }]) => [code, { description: meaning }]),
  ),
});

export const OperatorTypeEnum = { MOBILE: 'mobile', DTH: 'dth' } as const;
registerEnumType(OperatorTypeEnum, {
  name: 'OperatorType',
  description: 'What is recharged.',
  valuesConfig: {
    MOBILE: { description: 'A prepaid mobile number.' },
    DTH: { description: 'A satellite-TV subscription.' },
  },
});

export const OrderStatusEnum = {
  PENDING: 'pending',
  SUCCESS: 'success',
  FAILED: 'failed',
  REVERSED: 'reversed',
} as const;
export type OrderStatus = (typeof OrderStatusEnum)[keyof typeof OrderStatusEnum];
registerEnumType(OrderStatusEnum, {
  name: 'OrderStatus',
  description: 'What is known of a recharge or payment.',
  valuesConfig: {
    PENDING: {
      description:
        'The outcome is not known yet and the money is held. Never create a new order: repeat the request with the same key.',
    },
    SUCCESS: { description: 'Performed; the debit is final.' },
    FAILED: { description: 'Not performed; the money is in the wallet again.' },
    REVERSED: { description: 'Performed, and taken back later; the money is in the wallet again.' },
  },
});

export const OnboardingStatusEnum = {
  REGISTERED: 'registered',
  EMAIL_VERIFIED: 'email_verified',
  KYC_SUBMITTED: 'kyc_submitted',
  APPROVED: 'approved',
  REJECTED: 'rejected',
} as const;
registerEnumType(OnboardingStatusEnum, {
  name: 'OnboardingStatus',
  description: 'How far an account has come.',
  valuesConfig: {
    REGISTERED: { description: 'Signed up; the e-mail address is not confirmed.' },
    EMAIL_VERIFIED: { description: 'The address is confirmed; KYC is missing.' },
    KYC_SUBMITTED: { description: 'Waits for the decision of an admin.' },
    APPROVED: { description: 'May create keys and call the UAT host.' },
    REJECTED: { description: 'Refused by an admin, with a reason.' },
  },
});
