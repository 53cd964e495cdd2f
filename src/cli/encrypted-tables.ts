import type { EncryptedTable } from '../db/key-rotation.js';
import { type ProfileKey, profileContext } from '../leads/profile.store.js';
import { secretContext } from '../notifications/webhook-delivery.store.js';

/** Every column that holds encrypted values. A test compares the list with the database, so that none is forgotten. */
export const encryptedTables: readonly EncryptedTable[] = [
  {
    table: 'orders',
    key: ['developer_id', 'id'],
    columns: ['request', 'answer'],
    contextOf: ({ id }: { id: string }) => `orders:${id}`,
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
];
