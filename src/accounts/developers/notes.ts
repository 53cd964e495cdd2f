import type { MikroORM } from '@mikro-orm/postgresql';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import { UUID } from '../../core/ids.js';
import type { DeveloperId } from '../../core/principal.js';
import { inTransaction } from '../../db/orm.js';
import type { Queryable } from '../../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../../graphql-toolkit/connection.js';
import { DeveloperNoteEntity } from '../account.entities.js';
import { lockDeveloper, subjectOf } from './developer.state.js';
import type { Note } from './note.types.js';

interface NoteRow extends Omit<Note, 'createdAt'> {
  createdAt: string;
}

const NOTE = `select id, author as by, text, created_at as "createdAt" from developer_note n`;
const noteOf = (row: NoteRow): Note => ({ ...row, createdAt: new Date(row.createdAt) });

/** Staff notes on accounts. */
export class Notes {
  constructor(
    private readonly orm: MikroORM,
    private readonly db: Queryable,
    private readonly audit: AuditService,
  ) {}

  /** Returns a page of notes, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(developerId: DeveloperId, request: PageRequest): Promise<Page<Note>> {
    const slice = sliceOf('notes', request, UUID);
    const { rows } = await this.db.query<NoteRow>({
      text: `${NOTE} where n.developer_id = $1 and ($2::uuid is null or n.id < $2) and ($3::uuid is null or n.id > $3)
        order by n.id ${slice.backwards ? 'asc' : 'desc'} limit $4`,
      values: [developerId, slice.after ?? null, slice.before ?? null, slice.size + 1],
    });
    return pageOf(rows, slice, ({ id }) => id, noteOf);
  }

  async find(id: string): Promise<Note | undefined> {
    const { rows } = await this.db.query<NoteRow>({ text: `${NOTE} where n.id = $1`, values: [id] });
    return rows[0] && noteOf(rows[0]);
  }

  /** Adds a note. Throws RECORD_NOT_FOUND. */
  add(developerId: DeveloperId, text: string, by: Actor): Promise<Note> {
    return inTransaction(this.orm, async (tx) => {
      await lockDeveloper(developerId, tx);
      const note = tx.create(DeveloperNoteEntity, { developerId, author: by.actor, text });
      await tx.persist(note).flush();
      // the text remains only in the note, because audit exports are kept permanently
      const entry = { action: 'developer.add_note', subject: subjectOf(developerId) } as const;
      await this.audit.record(by, { ...entry, before: null, after: { noteId: note.id } }, tx);
      return { id: note.id, by: note.author, text: note.text, createdAt: note.createdAt };
    });
  }
}
