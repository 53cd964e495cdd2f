import { describe, expect, it } from 'vitest';
import { type AuthenticatedTable, type CoveredRow, RowKeys } from '../../src/core/row-keys.js';
import { Secret } from '../../src/core/secret.js';

const forged: AuthenticatedTable[] = [];
const keys = new RowKeys(new Secret('a pepper for tests only'), (table) => forged.push(table));
const otherKeys = new RowKeys(new Secret('another pepper'));
const at = new Date('2026-01-02T03:04:05.678Z');
const bytes = (text: string): Buffer => Buffer.from(text);

/** A row of each table with a MAC. */
const rows: { [Table in AuthenticatedTable]: CoveredRow<Table> } = {
  session: { sessionHash: bytes('h'), userId: 'u', expiresAt: at, confirmedAt: null },
  access_token: {
    tokenHash: bytes('h'),
    developerId: 'd',
    environment: 'uat',
    clientId: 'c',
    sessionHash: null,
    latestExpiry: at,
  },
  client_token: {
    tokenHash: bytes('h'),
    parentHash: bytes('p'),
    developerId: 'd',
    environment: 'uat',
    scopes: ['lookups', 'order'],
    orderId: 'o',
    maxSpendPaise: 100n,
    expiresAt: at,
  },
  password_reset: { tokenHash: bytes('h'), userId: 'u', expiresAt: at },
  email_change: { tokenHash: bytes('h'), userId: 'u', expiresAt: at },
  invitation: {
    tokenHash: bytes('h'),
    id: 'i',
    email: 'e',
    name: 'n',
    role: 'developer',
    teamRole: 'reader',
    developerId: 'd',
    invitedBy: 'u',
    expiresAt: at,
  },
  sign_up: { tokenHash: bytes('h'), emailHash: bytes('e'), expiresAt: at },
  second_factor: { id: 'i', userId: 'u', kind: 'passkey', confirmedAt: at, credentialId: 'c', publicKey: bytes('k') },
};
const tables = Object.keys(rows) as AuthenticatedTable[];
const macOf = (table: AuthenticatedTable, row: object): Buffer => keys.mac(table, row as never);

describe('the MAC of a row', () => {
  it.each(tables)('of %s changes with each field that it covers', (table) => {
    const row = rows[table];
    const mac = macOf(table, row);
    expect(keys.verify(table, { ...row, mac } as never)).toBe(true);
    for (const field of Object.keys(row)) {
      for (const value of [null, 'another value', new Date(at.getTime() + 1), ['lookups'], bytes('x')]) {
        if (value === (row as Record<string, unknown>)[field]) continue;
        forged.length = 0;
        expect([field, keys.verify(table, { ...row, [field]: value, mac } as never)]).toEqual([field, false]);
        expect(forged).toEqual([table]);
      }
    }
  });

  it('depends on the table and the pepper', () => {
    expect(macOf('password_reset', rows.password_reset)).not.toEqual(macOf('email_change', rows.email_change));
    expect(otherKeys.mac('session', rows.session)).not.toEqual(macOf('session', rows.session));
  });

  it('is equal for a missing value and null, and for a number of paise and its text', () => {
    const { confirmedAt: _, ...unconfirmed } = rows.session;
    expect(macOf('session', unconfirmed)).toEqual(macOf('session', rows.session));
    expect(macOf('client_token', { ...rows.client_token, maxSpendPaise: '100' })).toEqual(
      macOf('client_token', rows.client_token),
    );
  });

  it('is invalid with any other length', () => {
    expect(keys.verify('session', { ...rows.session, mac: bytes('short') })).toBe(false);
  });
});

it('the lookup value of a row depends on the table and the pepper', () => {
  expect(keys.lookup('session', 'a token')).toEqual(keys.lookup('session', 'a token'));
  expect(keys.lookup('session', 'a token')).not.toEqual(keys.lookup('access_token', 'a token'));
  expect(keys.lookup('session', 'a token')).not.toEqual(otherKeys.lookup('session', 'a token'));
});

it('the hash of an API secret depends on client ID, account, environment and start time; that of a password on the user', () => {
  const owner = { clientId: 'c', developerId: 'd', environment: 'uat', startsAt: null } as const;
  const hash = keys.apiSecretHash(owner, 'secret');
  for (const other of [
    { clientId: 'x' },
    { developerId: 'x' },
    { environment: 'production' },
    { startsAt: new Date(0) },
  ])
    expect(keys.apiSecretHash({ ...owner, ...other } as typeof owner, 'secret')).not.toEqual(hash);
  expect(keys.passwordSecret('u')).not.toEqual(keys.passwordSecret('v'));
});
