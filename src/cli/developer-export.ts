import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AuditReader } from '../audit/audit.reader.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import { encryptedTables } from './encrypted-tables.js';

/** One file of the export: the rows of an account in a table, without what lets somebody in. */
export interface ExportedTable {
  table: string;
  /** The primary key: in its order the rows are read, page by page. */
  key: readonly string[];
  /** SQL: which rows are the account's, $1. */
  of?: string;
  /** Secrets. Hashes, which are bytes that nothing decrypts, are left out everywhere. */
  without?: readonly string[];
}

const PEOPLE = 'user_id in (select id from app_user where developer_id = $1)';

/** All that the account and its people have here. What is not here is a hash, a queue or an index of it: a test has the list. */
export const exportedTables: readonly ExportedTable[] = [
  { table: 'developer', key: ['id'], of: 'id = $1' },
  { table: 'developer_contact', key: ['developer_id'] },
  { table: 'developer_note', key: ['id'] },
  { table: 'service_access', key: ['developer_id', 'service'] },
  { table: 'app_user', key: ['id'], without: ['password_hash'] },
  { table: 'invitation', key: ['id'] },
  { table: 'session', key: ['id'], of: PEOPLE },
  { table: 'second_factor', key: ['id'], of: PEOPLE, without: ['secret', 'credential_id', 'last_period'] },
  { table: 'security_event', key: ['id'], of: PEOPLE, without: ['identifier_hash'] },
  { table: 'kyc_submission', key: ['developer_id', 'id'] },
  { table: 'kyc_draft', key: ['developer_id'] },
  { table: 'kyc_document', key: ['developer_id', 'id'], without: ['content'] },
  { table: 'credential', key: ['client_id'] },
  { table: 'webhook_endpoint', key: ['developer_id', 'id'], without: ['secret', 'previous_secret'] },
  { table: 'webhook_delivery', key: ['developer_id', 'id'] },
  { table: 'wallet', key: ['developer_id', 'environment'] },
  { table: 'transfer', key: ['developer_id', 'subject_id', 'step'] },
  { table: 'orders', key: ['developer_id', 'id'] },
  { table: 'order_event', key: ['developer_id', 'order_id', 'id'] },
  { table: 'archived_order', key: ['id'] },
  { table: 'lookup_answer', key: ['developer_id', 'order_id'] },
  { table: 'card_bill', key: ['developer_id', 'id'], without: ['provider_fetch_id'] },
  { table: 'lead_profile', key: ['developer_id', 'environment', 'mobile_hash'] },
  { table: 'lead', key: ['developer_id', 'id'] },
];

const ROWS_PER_READ = 500;
const PRIVATE = { flag: 'wx', mode: 0o600 } as const;

type Row = Record<string, unknown>;

export interface ExportParts {
  db: Queryable;
  encryption: FieldEncryption;
  developerId: DeveloperId;
  /** New, or empty. */
  directory: string;
}

/**
 * Writes everything about an account as JSON files, one for each table that has a row, the documents of KYC beside them, and what its
 * people read of the audit trail. For nobody else's eyes: the files are the caller's own. Returns the rows by file. Errors: Error in
 * words for a directory that holds something.
 */
export async function exportDeveloper(parts: ExportParts): Promise<Map<string, number>> {
  const { directory } = parts;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if ((await readdir(directory)).length > 0) throw new Error('The directory is not empty: name a new one.');
  const written = new Map<string, number>();
  for (const table of exportedTables) {
    const file = `${table.table}.json`;
    const count = await writeArray(path.join(directory, file), rowsOf(table, parts));
    if (count > 0) written.set(file, count);
  }
  const trail = new AuditReader(parts.db);
  const activity = pagesFromTheEnd((request) => trail.activity(parts.developerId, request, 'owners'));
  const count = await writeArray(path.join(directory, 'activity.json'), withoutNames(activity));
  if (count > 0) written.set('activity.json', count);
  const documents = await writeDocuments(parts);
  if (documents > 0) written.set('documents', documents);
  return written;
}

/** As the account's people read it: of the operator's only that it was one. */
async function* withoutNames(pages: AsyncIterable<{ by: string }[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) yield page.map(({ by: _, ...entry }) => entry);
}

async function* rowsOf({ table, key, of, without = [] }: ExportedTable, parts: ExportParts): AsyncGenerator<Row[]> {
  const { db, encryption, developerId } = parts;
  const sealed = encryptedTables.find((one) => one.table === table);
  const keyList = key.join(', ');
  let last: unknown[] = [];
  for (;;) {
    const after = last.length > 0 ? `and (${keyList}) > (${key.map((_, n) => `$${n + 2}`).join(', ')})` : '';
    const { rows } = await db.query<Row>({
      text: `select * from ${table} where ${of ?? 'developer_id = $1'} ${after} order by ${keyList} limit ${ROWS_PER_READ}`,
      values: [developerId, ...last],
    });
    if (rows.length > 0)
      yield rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => {
            if (without.includes(name)) return [];
            if (!Buffer.isBuffer(value)) return [[name, value]];
            return sealed?.columns.includes(name) ? [[name, encryption.decrypt(sealed.contextOf(row), value)]] : [];
          }),
        ),
      );
    if (rows.length < ROWS_PER_READ) return;
    last = key.map((name) => rows.at(-1)![name]);
  }
}

/** An array of JSON, an entry a line, of any length. Without an entry there is no file. */
async function writeArray(file: string, pages: AsyncIterable<readonly object[]>): Promise<number> {
  let count = 0;
  let out: ReturnType<typeof createWriteStream> | undefined;
  for await (const page of pages)
    for (const entry of page) {
      out ??= createWriteStream(file, { flags: PRIVATE.flag, mode: PRIVATE.mode });
      const isFull = !out.write(`${count++ === 0 ? '[' : ','}\n${JSON.stringify(entry)}`);
      if (isFull) await once(out, 'drain');
    }
  if (!out) return 0;
  out.end('\n]\n');
  await once(out, 'close');
  return count;
}

/** One at a time: each is some megabytes. */
async function writeDocuments({ db, encryption, developerId, directory }: ExportParts): Promise<number> {
  const { contextOf } = encryptedTables.find(({ table }) => table === 'kyc_document')!;
  const { rows: documents } = await db.query<{ developer_id: string; id: string; details: Buffer }>({
    text: 'select developer_id, id, details from kyc_document where developer_id = $1 order by kyc_document.id',
    values: [developerId],
  });
  if (documents.length > 0) await mkdir(path.join(directory, 'documents'), { mode: 0o700 });
  for (const document of documents) {
    const { fileName } = encryption.decrypt<{ fileName: string }>(contextOf(document), document.details);
    const { rows } = await db.query<{ content: Buffer }>({
      text: 'select content from kyc_document where developer_id = $1 and id = $2',
      values: [developerId, document.id],
    });
    const content = encryption.decrypt<Buffer>(contextOf(document), rows[0]!.content);
    // the name is a safe one already: see safeFileName
    await writeFile(path.join(directory, 'documents', `${document.id}-${fileName}`), content, PRIVATE);
  }
  return documents.length;
}
