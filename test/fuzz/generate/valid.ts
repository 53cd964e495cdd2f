import { UNKNOWN_ID } from '../../support/ids.js';
import { canaries } from '../oracle/canaries.js';
import type { Draw } from './draw.js';
import { mobile } from './values.js';

const DAYS = ['2026-01-01', '2026-01-31', '2025-06-30', '2000-01-01', '2099-12-31'];
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64');

const CURSORS = ['', 'audit:1', 'statement:2', `orders:${UNKNOWN_ID}`, `review:${'-'.repeat(36)}`];

const pageSize = (draw: Draw): number => draw.of([1, 20, 50, 0, 201]);
const cursor = (draw: Draw): string => Buffer.from(draw.of(CURSORS)).toString('base64url');

/** Generators of valid values by GraphQL field name. The snake_case names of REST consist of the same words. */
const generators: Readonly<Record<string, (draw: Draw) => unknown>> = {
  accountNumber: mobile,
  mobile,
  mobileNo: mobile,
  amount: (draw) => 1 + draw.below(500) + draw.of([0, 0, 0.5, 0.01]),
  operatorSpKey: (draw) => draw.of([116, 3, 37, 4, 51, 54]),
  operatorType: (draw) => draw.of(['MOBILE', 'DTH']),
  clientRequestId: (draw) => draw.uniqueName('r-'),
  orderId: (draw) => draw.uniqueName('o-'),
  clientKey: (draw) => draw.uniqueName('r-'),
  apiRequestId: (draw) => draw.of(['{{order.reference}}', '03HA26X6OL298XFS75UCBK0GU']),
  circle: (draw) => draw.of(['96', '10', '92']),
  geocode: () => '28.61,77.20',
  pincode: (draw) => draw.of([1001, '110001']),
  customerNumber: mobile,
  card: (draw) => draw.digits(4),
  opcode: (draw) => draw.of(['ICIC', 'HDFC']),
  dthNumber: (draw) => `0${draw.digits(10)}`,
  fetchId: () => '{{fetchId}}',
  pan: () => canaries.pan,
  firstName: () => 'Asha',
  lastName: () => 'Verma',
  email: (draw) => canaries.email(draw.digits(6)),
  dob: () => '1990-05-21',
  company: () => 101,
  occupation: () => 1,
  monthlySalary: () => 65_000,
  itrAmount: () => 0,
  address: () => '12 Lake Road',
  categoryId: (draw) => draw.of([3, 4]),
  cardId: () => 1,
  customerId: () => 'aUczK1BLSAMPLE',
  productId: (draw) => draw.of(['4001', '3001']),
  requiredAmount: () => 250_000,
  leadCode: (draw) => draw.of(['BS-LEAD-987654', `{{leadCode.${draw.below(10)}}}`]),
  clientId: () => '{{clientId.victim}}',
  apiSecret: () => canaries.secret,
  deviceName: () => 'till 4',
  password: () => canaries.password,
  newPassword: () => canaries.password,
  currentPassword: () => canaries.password,
  totp: () => '123456',
  name: (draw) => draw.uniqueName('Name '),
  url: (draw) => `https://hooks.test.example/${draw.uniqueName('')}`,
  from: (draw) => draw.of(DAYS),
  to: (draw) => draw.of(DAYS),
  first: pageSize,
  last: pageSize,
  after: cursor,
  before: cursor,
  cursor,
  limit: pageSize,
  search: (draw) => draw.of(['a', 'Name', '%', '_']),
  subject: () => 'developer:1',
  reason: () => 'as agreed',
  reference: (draw) => draw.uniqueName('top-'),
  minAmount: () => 1,
  maxAmount: (draw) => 10 + draw.below(500),
  cardLast4: (draw) => draw.digits(4),
  note: () => 'bank transfer',
  label: () => 'till',
  developerId: (draw) => draw.of(['{{developer.victim}}', 'dev_{{developer.victim}}']),
  whiteLabelId: (draw) => draw.of(['1', 'wlb_{{endpoint}}']),
  userId: (draw) => draw.of(['{{user.victim}}', 'usr_{{user.victim}}']),
  approvalRequestId: (draw) => draw.of(['{{approvalRequest}}', 'apr_{{approvalRequest}}']),
  endpointId: (draw) => draw.of(['{{endpoint}}', 'whe_{{endpoint}}']),
  deliveryId: () => '{{endpoint}}',
  id: (draw) =>
    draw.of([
      '{{endpoint}}',
      '{{developer.victim}}',
      'ord_{{order.id}}',
      'wal_uat_{{developer.owner}}',
      'dev_{{developer.victim}}',
      'usr_{{user.victim}}',
      'key_{{clientId.victim}}',
      'apr_{{approvalRequest}}',
      'whe_{{endpoint}}',
    ]),
  perMinute: () => 60,
  fee: () => 1.5,
  // invalid values deep inside a call with a fee
  names: (draw) => draw.of([['TOPUP'], ['TOPUP'], ['a\u0000'], Array(1_001).fill('TOPUP')]),
  kind: () => 'pan_card',
  fileName: () => 'pan.pdf',
  contentType: () => 'application/pdf',
  contentBase64: () => PDF,
  documentId: () => 'doc_{{developer.victim}}_{{endpoint}}',
  message: () => 'a shop in Pune',
  text: () => 'called them',
  balanceBelow: () => 100,
  legalName: () => 'Asha Verma',
  gstin: () => `29${canaries.pan}1Z5`,
  documentIds: (draw) => [draw.of(['{{endpoint}}', 'doc_{{developer.victim}}_{{endpoint}}'])],
  token: () => 'f'.repeat(64),
};

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const aliases: Readonly<Record<string, string>> = { orderid: 'orderId', card_id: 'cardId' };

/** Undefined if there is no generator for the name. */
export function validValue(draw: Draw, name: string): unknown {
  const key = aliases[name] ?? camel(name);
  return Object.hasOwn(generators, key) ? generators[key]!(draw) : undefined;
}
