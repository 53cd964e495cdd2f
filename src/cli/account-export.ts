import path from 'node:path';
import type { Pool } from 'pg';
import { actorIn } from '../audit/actors.js';
import { AuditReader } from '../audit/audit.reader.js';
import type { AuditEntry } from '../audit/audit.types.js';
import { type Environment, environments } from '../core/environment.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { firstIdAt } from '../core/ids.js';
import { decimalText } from '../core/money.js';
import { version } from '../core/package-root.js';
import type { DeveloperId } from '../core/principal.js';
import { type PatientQuery, patiently } from '../db/patience.js';
import { pagesFromTheEnd } from '../graphql-toolkit/connection.js';
import { LINE_PREFIX, StatementService } from '../ledger/statement.service.js';
import { documentContext, type KycDocumentDetails } from '../onboarding/kyc.store.js';
import {
  type AccountFile,
  type AccountRow,
  excludedTables,
  largeFiles,
  smallFiles,
  type Unseal,
} from './account-files.js';
import type { PrivateDirectory } from './private-directory.js';

const LINES_AT_A_TIME = 500;
const STATEMENT_LIMIT_MS = 60_000;
/** Maximum number of unreadable rows listed per file. If a key is lost, all rows are unreadable. */
const MAX_NAMED_ROWS = 100;

/** Values of one file that could not be decrypted. */
interface Unreadable {
  file: string;
  values: number;
  /** First unreadable rows of the file. */
  rows: string[];
}

/** State of the account and its wallets at the time of the snapshot. */
interface Snapshot {
  at: Date;
  people: ReadonlyMap<string, string>;
  versions: ReadonlyMap<Environment, bigint>;
}

interface ExportParts {
  pool: Pool;
  encryption: FieldEncryption;
}

/** Exports all data of an account as files, for example for a request under data protection law. */
export class AccountExport {
  readonly #unreadable = new Map<string, Unreadable>();

  constructor(
    private readonly parts: ExportParts,
    private readonly developerId: DeveloperId,
    private readonly directory: PrivateDirectory,
  ) {}

  /** Writes the files, and the index last. Returns the number of values that could not be decrypted. */
  async write(): Promise<number> {
    const { pool } = this.parts;
    const snapshot = await patiently(pool, STATEMENT_LIMIT_MS, (query) => this.#writeSnapshot(query));
    const read: PatientQuery = async (statement) => (await pool.query(statement)).rows as never;
    for (const file of largeFiles) await this.#writeFile(file, read, firstIdAt(snapshot.at));
    await this.#writeStatements(snapshot);
    await this.#writeActivity(snapshot);
    return this.#writeIndex(snapshot);
  }

  /** Writes the small files in one snapshot, and records the last IDs of the large files. */
  async #writeSnapshot(query: PatientQuery): Promise<Snapshot> {
    await query({ text: 'set transaction isolation level repeatable read, read only' });
    const [{ at }] = (await query<{ at: string }>({ text: 'select now() as at' })) as [{ at: string }];
    for (const file of smallFiles) await this.#writeFile(file, query);
    await this.#writeDocuments(query);
    const values = [this.developerId];
    const wallets = await query<{ environment: Environment; version: string }>({
      text: 'select environment, version::text from wallet where developer_id = $1',
      values,
    });
    const people = await query<{ id: string; name: string }>({
      text: 'select id, name from app_user where developer_id = $1',
      values,
    });
    return {
      at: new Date(at),
      people: new Map(people.map(({ id, name }) => [id, name])),
      versions: new Map(wallets.map((wallet) => [wallet.environment, BigInt(wallet.version)])),
    };
  }

  #writeFile(file: AccountFile, query: PatientQuery, until?: string): Promise<void> {
    return this.directory.writeLines(file.name, file.holds, this.#pagesOf(file, query, until));
  }

  async *#pagesOf(
    { text, first, name, unsealed }: AccountFile,
    query: PatientQuery,
    until?: string,
  ): AsyncGenerator<object[]> {
    const limits = text.includes('$4') ? [until] : [];
    for (let after = first; ; ) {
      const rows = await query<AccountRow>({ text, values: [this.developerId, after, LINES_AT_A_TIME, ...limits] });
      yield rows.map((row) => {
        const { key, line } = row;
        return unsealed ? { ...line, ...unsealed(row, this.#unsealerOf(name, key), this.developerId) } : line;
      });
      if (rows.length < LINES_AT_A_TIME) return;
      after = rows.at(-1)!.key;
    }
  }

  /** Returns a function that decrypts parts of a row. A part that cannot be decrypted is null and is listed in the index. */
  #unsealerOf(file: string, row: string): Unseal {
    return <T>(part: string, context: string, sealed: unknown): T | null => {
      if (sealed === null) return null;
      try {
        return this.parts.encryption.decrypt<T>(context, sealed as Buffer);
      } catch {
        const found = this.#unreadable.get(file) ?? { file, values: 0, rows: [] };
        found.values++;
        if (found.rows.length < MAX_NAMED_ROWS) found.rows.push(`${row} ${part}`);
        this.#unreadable.set(file, found);
        return null;
      }
    };
  }

  /** Writes the documents. They are read one at a time, because each can have 5 MiB. */
  async #writeDocuments(query: PatientQuery): Promise<void> {
    const list = await query<{ id: string; line: object; details: Buffer }>({
      text: `select d.id, d.details, (select to_jsonb(l) from (select d.size_bytes as "sizeBytes", d.created_at as "uploadedAt",
          d.submitted_at as "submittedAt") l) as line
        from kyc_document d where d.developer_id = $1 order by d.id`,
      values: [this.developerId],
    });
    const NAME = 'kyc-documents.jsonl';
    const lines: object[] = [];
    for (const { id, line, details } of list) {
      const context = documentContext(this.developerId, id);
      const unseal = this.#unsealerOf(NAME, id);
      const [{ content }] = (await query<{ content: Buffer }>({
        text: 'select content from kyc_document where developer_id = $1 and id = $2',
        values: [this.developerId, id],
      })) as [{ content: Buffer }];
      const documentDetails = unseal<KycDocumentDetails>('details', context, details);
      const bytes = unseal<Buffer>('content', context, content);
      const file = bytes && `kyc-documents/${id}-${path.basename(documentDetails?.fileName ?? 'document')}`;
      if (file) await this.directory.writeBytes(file, 'A KYC document.', bytes);
      lines.push({ id, ...documentDetails, ...line, file });
    }
    await this.directory.writeLines(NAME, 'KYC documents, and the file of each.', singlePage(lines));
  }

  async #writeStatements({ versions }: Snapshot): Promise<void> {
    const statement = new StatementService(this.parts.pool);
    for (const environment of environments) {
      const pages = statement.pages(this.developerId, environment, 1n, (versions.get(environment) ?? 0n) + 1n);
      await this.directory.writeLines(
        `statement-${environment}.jsonl`,
        `Entries of the ${environment} wallet, oldest first; debits are negative.`,
        mapped(pages, ({ id, at, kind, amountPaise, balanceAfterPaise, reference }) => ({
          id: `${LINE_PREFIX}_${id}`,
          at,
          kind,
          amount: decimalText(amountPaise),
          balance: decimalText(balanceAfterPaise),
          reference,
        })),
      );
    }
  }

  /** Writes the activity without the names of staff, as users of the account see it. */
  async #writeActivity({ people }: Snapshot): Promise<void> {
    const auditLog = new AuditReader(this.parts.pool);
    const pages = pagesFromTheEnd((request) => auditLog.activity(this.developerId, request, 'owners'));
    const actorName = (text: string): string => {
      const { kind, name, userId } = actorIn(text);
      return kind === 'user' ? (people.get(userId!) ?? 'Staff') : name;
    };
    await this.directory.writeLines(
      'activity.jsonl',
      'Activity of the account, and the users who caused it.',
      mapped(pages, ({ number, at, action, by: actor, subjectText, changes, reason, address }: AuditEntry) => ({
        number,
        at,
        action,
        by: actorName(actor),
        subject: subjectText,
        changes,
        reason,
        address,
      })),
    );
  }

  async #writeIndex({ at }: Snapshot): Promise<number> {
    const unreadable = [...this.#unreadable.values()];
    const index = {
      account: `dev_${this.developerId}`,
      asOf: at.toISOString(),
      version,
      files: this.directory.files,
      unreadable,
      leftOut: Object.keys(excludedTables),
    };
    await this.directory.writeBytes('index.json', 'This list.', Buffer.from(`${JSON.stringify(index, null, 2)}\n`));
    return unreadable.reduce((sum, { values }) => sum + values, 0);
  }
}

async function* singlePage<T>(page: T): AsyncGenerator<T> {
  yield page;
}

async function* mapped<From, To>(pages: AsyncIterable<From[]>, map: (row: From) => To): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.map(map);
}
