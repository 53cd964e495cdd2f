import { Field, ID } from 'type-graphql';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, TextOfLines } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';

export const MAX_NOTE = 1_000;

@NodeType<Note>('not', {
  description: 'What one of the staff wrote about an account, for the others. It never changes.',
})
export class Note {
  id!: string;
  /** Whom `author` shows, as the audit log names them. */
  by!: string;

  @Field({ description: 'What they wrote.' })
  text!: string;

  @Field(() => Instant, { description: 'When.' })
  createdAt!: Date;
}

@Output({ description: 'A page of notes, newest first.' })
export class NoteConnection extends connectionOf('Note', Note, { one: 'note' }) {}

@Input({ description: 'What others of the staff should know about an account. Its people never read it.' })
export class AddNoteInput {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field({ description: `At most ${MAX_NOTE} characters, in one or more lines.` })
  @TextOfLines(MAX_NOTE)
  text!: string;
}

@Output({ description: 'A note that was written.' })
export class AddNotePayload {
  @Field(() => Note, { description: 'The note.' })
  note!: Note;
}
