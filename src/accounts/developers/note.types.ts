import { Field, ID } from 'type-graphql';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, TextOfLines } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';

export const MAX_NOTE = 1_000;

@NodeType<Note>('not', {
  description: 'Note on an account, written by staff and visible only to staff. Notes cannot be edited.',
})
export class Note {
  id!: string;
  /** Actor that the field `author` displays, as in the audit log. */
  by!: string;

  @Field({ description: 'Text of the note.' })
  text!: string;

  @Field(() => Instant, { description: 'Time the note was written.' })
  createdAt!: Date;
}

@Output({ description: 'A page of notes, newest first.' })
export class NoteConnection extends connectionOf('Note', Note, { singular: 'note' }) {}

@Input({ description: 'Note on an account. Users of the account cannot read it.' })
export class AddNoteInput {
  @Field(() => ID, { description: 'ID of the developer.' })
  developerId!: string;

  @Field({ description: `Text of at most ${MAX_NOTE} characters. Line breaks are allowed.` })
  @TextOfLines(MAX_NOTE)
  text!: string;
}

@Output({ description: 'The new note.' })
export class AddNotePayload {
  @Field(() => Note, { description: 'Note that was added.' })
  note!: Note;
}
