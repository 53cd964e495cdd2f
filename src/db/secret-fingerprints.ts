import { createHmac } from 'node:crypto';
import type { NamedKey, Secret } from '../core/secret.js';
import { sameBytes } from '../core/secret.js';
import { CannotServe } from './database-errors.js';
import type { Queryable } from './pool.js';
import type { StartCheck } from './start-checks.js';

/** Secrets that must be the same for all processes of a database. */
export interface SharedSecrets {
  encryptionKeys: readonly NamedKey[];
  pepper: Secret;
  referenceSecret: Secret;
}

/** Fingerprint of a secret: the keyed hash stored in the database. Only encryption keys have an ID. */
export interface SecretFingerprint {
  name: 'ENCRYPTION_KEYS' | 'REFERENCE_SECRET' | 'SECRET_PEPPER';
  keyId: string;
  fingerprint: Buffer;
}

interface Registered extends SecretFingerprint {
  /** Whether `gateway rotate-keys` found no stored value that uses the key. */
  retired: boolean;
}

export interface SecretDifference {
  secret: SecretFingerprint;
  kind: 'differs' | 'missing' | 'retired';
  sentence: string;
}

/**
 * Returns the hash of a constant with the secret as its key, so that the database contains nothing from which another secret
 * could be derived.
 */
const fingerprintOf = (name: SecretFingerprint['name'], keyId: string, key: Buffer | string): SecretFingerprint => ({
  name,
  keyId,
  fingerprint: createHmac('sha256', key).update(`secret fingerprint\0${name}\0${keyId}`).digest(),
});

export function fingerprintsOf({ encryptionKeys, pepper, referenceSecret }: SharedSecrets): SecretFingerprint[] {
  const keys = new Map(encryptionKeys.map(({ id, key }) => [id, key]));
  return [
    fingerprintOf('REFERENCE_SECRET', '', referenceSecret.reveal()),
    fingerprintOf('SECRET_PEPPER', '', pepper.reveal()),
    ...Array.from(keys, ([id, key]) => fingerprintOf('ENCRYPTION_KEYS', id, Buffer.from(key.reveal(), 'base64'))),
  ];
}

const LOST = 'If it is lost, see "gateway secrets --help".';

const differsText = ({ name, keyId }: SecretFingerprint): string =>
  name === 'ENCRYPTION_KEYS'
    ? `ENCRYPTION_KEYS: key "${keyId}" differs from the key with this ID that this database was used with. Set the key that the other processes use. ${LOST}`
    : `${name} differs from the secret that this database was used with. Set the secret that the other processes use. ${LOST}`;

const missingText = ({ keyId }: SecretFingerprint): string =>
  `ENCRYPTION_KEYS lacks key "${keyId}", which stored values use. Add it after the first key; "gateway rotate-keys" makes it unnecessary. ${LOST}`;

const retiredText = ({ keyId }: SecretFingerprint): string =>
  `ENCRYPTION_KEYS: the first key "${keyId}" was replaced by "gateway rotate-keys". Put a key with a new ID in front.`;

async function registeredIn(db: Queryable): Promise<Registered[]> {
  const { rows } = await db.query<Registered>({
    text: `select name, key_id as "keyId", fingerprint, retired_at is not null as retired from secret_fingerprint order by 1, 2`,
  });
  return rows;
}

const isSame = (a: SecretFingerprint, b: SecretFingerprint): boolean => a.name === b.name && a.keyId === b.keyId;

/** Compares the secrets with those that have been used with the database. */
export async function compareSecrets(
  db: Queryable,
  secrets: SharedSecrets,
): Promise<{ known: number; unknown: SecretFingerprint[]; differences: SecretDifference[] }> {
  const ownFingerprints = fingerprintsOf(secrets);
  const registered = await registeredIn(db);
  const differences = registered.flatMap((row): SecretDifference[] => {
    const match = ownFingerprints.find((candidate) => isSame(candidate, row));
    if (match === undefined) return row.retired ? [] : [{ secret: row, kind: 'missing', sentence: missingText(row) }];
    if (!sameBytes(match.fingerprint, row.fingerprint))
      return [{ secret: match, kind: 'differs', sentence: differsText(row) }];
    return row.retired && row.keyId === secrets.encryptionKeys[0]?.id
      ? [{ secret: match, kind: 'retired', sentence: retiredText(row) }]
      : [];
  });
  const unknown = ownFingerprints.filter((fingerprint) => !registered.some((row) => isSame(fingerprint, row)));
  return { known: registered.length, unknown, differences };
}

/**
 * Rejects secrets that differ from those that have been used with the database. It only reads. Resolves to the secrets that are
 * not registered.
 */
async function unknownSecrets(db: Queryable, secrets: SharedSecrets): Promise<SecretFingerprint[]> {
  const { unknown, differences } = await compareSecrets(db, secrets);
  if (differences.length > 0) throw new CannotServe(differences.map(({ sentence }) => sentence).join(' '));
  return unknown;
}

export const requireSameSecrets =
  (secrets: SharedSecrets): StartCheck =>
  async (db) =>
    void (await unknownSecrets(db, secrets));

/** Registers new secrets, and then compares them again, because two processes can start at the same time. */
export const registerSecrets =
  (secrets: SharedSecrets): StartCheck =>
  async (db) => {
    const unknown = await unknownSecrets(db, secrets);
    if (unknown.length === 0) return;
    await db.query({
      text: `insert into secret_fingerprint (name, key_id, fingerprint) select * from unnest($1::text[], $2::text[], $3::bytea[])
        on conflict do nothing`,
      values: [
        unknown.map(({ name }) => name),
        unknown.map(({ keyId }) => keyId),
        unknown.map(({ fingerprint }) => fingerprint),
      ],
    });
    await unknownSecrets(db, secrets);
  };
