import { mobileContext } from '../accounts/people/people.reader.js';
import { newAddressContext } from '../accounts/people/profile.service.js';
import { totpContext } from '../accounts/second-factors/second-factor.store.js';
import { orderContext } from '../core/card-number.js';
import type { EncryptedTable } from '../db/key-rotation.js';
import { type ProfileKey, profileContext } from '../leads/profile.store.js';
import { emailContext } from '../mails/email-jobs.js';
import { documentContext, draftContext, submissionContext } from '../onboarding/kyc.store.js';
import { contactContext, signUpContext } from '../onboarding/sign-up.store.js';
import { secretContext } from '../webhooks/webhook-delivery.store.js';

/** Columns with encrypted values. A test compares this list with the database. */
export const encryptedTables: readonly EncryptedTable[] = [
  {
    table: 'orders',
    key: ['developer_id', 'id'],
    columns: ['request', 'answer'],
    contextOf: ({ id }: { id: string }) => orderContext(id),
  },
  {
    table: 'lookup_answer',
    key: ['developer_id', 'order_id'],
    columns: ['answer'],
    contextOf: ({ order_id }: { order_id: string }) => orderContext(order_id),
  },
  {
    table: 'webhook_outbox',
    key: ['developer_id', 'order_id', 'step'],
    columns: ['answer'],
    contextOf: ({ order_id }: { order_id: string }) => orderContext(order_id),
  },
  {
    table: 'webhook_delivery',
    // order_id is needed only for the context
    key: ['developer_id', 'id', 'order_id'],
    columns: ['answer'],
    contextOf: ({ order_id }: { order_id: string }) => orderContext(order_id),
  },
  {
    table: 'card_bill',
    key: ['developer_id', 'id'],
    columns: ['provider_fetch_id'],
    contextOf: ({ id }: { id: string }) => `card_bill:${id}`,
  },
  {
    table: 'lead_profile',
    key: ['developer_id', 'environment', 'mobile_hash'],
    columns: ['profile'],
    contextOf: (key: ProfileKey) => profileContext(key),
  },
  {
    table: 'webhook_endpoint',
    key: ['developer_id', 'id'],
    columns: ['secret', 'previous_secret'],
    contextOf: ({ id }: { id: string }) => secretContext(id),
  },
  {
    table: 'app_user',
    key: ['id'],
    columns: ['mobile'],
    contextOf: ({ id }: { id: string }) => mobileContext(id),
  },
  {
    table: 'email_change',
    key: ['token_hash'],
    columns: ['email'],
    contextOf: ({ token_hash }: { token_hash: Buffer }) => newAddressContext(token_hash),
  },
  { table: 'email', key: ['id'], columns: ['content'], contextOf: ({ id }: { id: string }) => emailContext(id) },
  {
    table: 'sign_up',
    key: ['token_hash'],
    columns: ['details'],
    contextOf: ({ token_hash }: { token_hash: Buffer }) => signUpContext(token_hash),
  },
  {
    table: 'second_factor',
    key: ['id'],
    columns: ['secret'],
    contextOf: ({ id }: { id: string }) => totpContext(id),
  },
  {
    table: 'developer_contact',
    key: ['developer_id'],
    columns: ['contact'],
    contextOf: ({ developer_id }: { developer_id: string }) => contactContext(developer_id),
  },
  {
    table: 'kyc_draft',
    key: ['developer_id'],
    columns: ['details'],
    contextOf: ({ developer_id }: { developer_id: string }) => draftContext(developer_id),
  },
  {
    table: 'kyc_submission',
    key: ['developer_id', 'id'],
    columns: ['details'],
    contextOf: ({ developer_id, id }: { developer_id: string; id: string }) => submissionContext(developer_id, id),
  },
  {
    table: 'kyc_document',
    key: ['developer_id', 'id'],
    columns: ['details', 'content'],
    contextOf: ({ developer_id, id }: { developer_id: string; id: string }) => documentContext(developer_id, id),
    // each value has up to 5 MiB
    rowsPerRead: 4,
  },
];
