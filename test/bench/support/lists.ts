import { indianDay } from '../../../src/core/clock.js';

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const sorted = (sort: string) =>
  `query Sorted($first: Int) { developers(first: $first, sort: ${sort}) { totalCount edges { node { id name email
    kycSubmittedAt wallets { environment balance } } } } }`;

const developers = (filter: object) => ({ first: 25, filter, money: true });
const orders = (filter: object) => ({ first: 25, filter: { environment: 'PRODUCTION', ...filter }, staff: true });
const failedDeliveries = (filter: object) => ({
  first: 25,
  filter: { environment: 'PRODUCTION', state: ['FAILED'], ...filter },
  ofAll: true,
});
/** Account with one fortieth of all orders, all of them in Production. */
const LARGE = 'dev_00000000-0000-7000-8001-000000000001';
const WALLET = `wal_production_${LARGE.slice('dev_'.length)}`;
const delivered = (filter: object) => ({ first: 25, developerId: LARGE, filter, ofAll: false });
const lines = (more: object) => ({ id: WALLET, first: 25, from: ago(91.9), ...more });
/** A calendar day (IST), as in statements. */
const day = (daysAgo: number): string => indianDay(new Date(ago(daysAgo)));
/**
 * Each list in its initial state, and each way to filter or sort it. Documents of the portal are given by name, others by their
 * text.
 */
export const LISTS: readonly [what: string, document: string, variables: object][] = [
  ['developers', 'Developers', developers({})],
  ['developers, approved', 'Developers', developers({ status: 'APPROVED' })],
  ['developers, by a part of a name', 'Developers', developers({ search: 'shop 99' })],
  ['developers, by an address', 'Developers', developers({ search: 'shop-9999@' })],
  ['developers, suspended', 'Developers', developers({ suspended: true })],
  ['developers, live', 'Developers', developers({ productionUnlocked: true })],
  ['developers, by name', sorted('NAME_ASC'), { first: 25 }],
  ['developers, by their last order', sorted('LAST_ORDER_DESC'), { first: 25 }],
  ['developers, by balance', sorted('PRODUCTION_BALANCE_ASC'), { first: 25 }],
  ['developers, by the age of their KYC', sorted('KYC_SUBMITTED_ASC'), { first: 25 }],
  ['access of many', 'Access', { first: 25, filter: { status: 'APPROVED' } }],
  ['KYC', 'KycQueue', { first: 25 }],
  ['orders of all', 'Orders', orders({})],
  ['orders of all, seven days', 'Orders', orders({ from: ago(7) })],
  ['orders of all, failed', 'Orders', orders({ status: ['FAILED'] })],
  ['orders of all, pending', 'Orders', orders({ status: ['PENDING'] })],
  ['orders of all, reversed', 'Orders', orders({ status: ['REVERSED'] })],
  ['orders of all, declined for one reason', 'Orders', orders({ declineReason: ['OPERATOR_UNAVAILABLE'] })],
  ['orders of all, by amount', 'Orders', orders({ amount: 5 })],
  ['orders of all, by provider', 'Orders', orders({ provider: 'MOKSHIQ' })],
  ['orders of all, of an amount that none has', 'Orders', orders({ minAmount: 5000 })],
  ['orders of all, of a provider that has none', 'Orders', orders({ provider: 'INSPAY' })],
  ['the same, of 92 days', 'Orders', orders({ provider: 'INSPAY', from: ago(91.9) })],
  ['orders of all, of an operator that has none, of 92 days', 'Orders', orders({ operatorSpKey: 37, from: ago(91.9) })],
  ['orders of all, of an amount that none has, of 92 days', 'Orders', orders({ minAmount: 5000, from: ago(91.9) })],
  ['orders of all, pending, of 92 days', 'Orders', orders({ status: ['PENDING'], from: ago(91.9) })],
  ['orders of all in UAT, which has none', 'Orders', orders({ environment: 'UAT' })],
  ['the same, of 92 days', 'Orders', orders({ environment: 'UAT', from: ago(91.9) })],
  ['orders of all, by reference', 'Orders', orders({ reference: '0000000000000000000000042' })],
  ['orders in review', 'Review', { first: 25, filter: {} }],
  ['approvalRequests', 'ApprovalRequests', { first: 25, filter: {} }],
  ['audit', 'AuditLog', { first: 25, filter: {} }],
  ['work', 'Work', {}],
  ['providers', 'Providers', {}],
  ['white labels', 'WhiteLabels', {}],
  ['failed deliveries', 'WebhookDeliveries', failedDeliveries({})],
  ['webhooks given up, in UAT', 'WebhookDeliveries', failedDeliveries({ environment: 'UAT' })],
  [
    'webhooks given up, of an event that none has',
    'WebhookDeliveries',
    failedDeliveries({ type: ['CARD_PAYMENT_REVERSED'] }),
  ],
  ['a large account', 'Developer', { id: LARGE, money: true, staff: true, approvalRequests: true }],
  ['its orders', 'Orders', orders({ developerId: LARGE })],
  ['its orders, failed', 'Orders', orders({ developerId: LARGE, status: ['FAILED'] })],
  ['its orders, of an amount that none has', 'Orders', orders({ developerId: LARGE, minAmount: 5000 })],
  ['its orders, of an operator that has none', 'Orders', orders({ developerId: LARGE, operatorSpKey: 37 })],
  ['its orders in UAT', 'Orders', orders({ developerId: LARGE, environment: 'UAT' })],
  ['its wallets', 'Wallets', { id: LARGE }],
  ['its statement', 'Statement', lines({})],
  ['its statement, debits alone', 'Statement', lines({ kinds: ['DEBIT'] })],
  ['its days', 'WalletDays', { id: WALLET, from: day(91), to: day(0) }],
  ['its deliveries', 'WebhookDeliveries', delivered({ environment: 'PRODUCTION' })],
  ['its deliveries, pending', 'WebhookDeliveries', delivered({ environment: 'PRODUCTION', state: ['PENDING'] })],
  ['its deliveries, given up', 'WebhookDeliveries', delivered({ environment: 'PRODUCTION', state: ['FAILED'] })],
  ['its deliveries in UAT', 'WebhookDeliveries', delivered({ environment: 'UAT' })],
  ['palette, by a name', 'Search', { text: 'Shop 99' }],
  ['palette, by an address', 'Search', { text: 'shop-77@shops.example' }],
];
