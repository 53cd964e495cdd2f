import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../core/context.js';
import { isUuid } from '../../core/ids.js';
import type { LoadNode } from '../../core/room.js';
import { Arguments } from '../../graphql-toolkit/arguments.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { actorOf } from '../account.changes.js';
import type { PeopleReader } from '../people/people.reader.js';
import { Actor } from '../people/people.types.js';
import { Developer } from './developer.types.js';
import { AddNoteInput, AddNotePayload, Note, NoteConnection } from './note.types.js';
import type { Notes } from './notes.js';

/** Resolver for staff notes on an account. */
@Resolver(() => Developer)
export class DeveloperNotesResolver {
  constructor(private readonly all: Notes) {}

  @FieldResolver(() => NoteConnection, {
    nullable: true,
    description: 'Staff notes on the account, newest first.',
  })
  @ExtraReads(READ_SEPARATELY)
  notes(@Root() { id }: Developer, @Arguments(PageArguments) request: PageArguments): Promise<NoteConnection> {
    return this.all.page(id, request);
  }

  @Mutation(() => AddNotePayload, { nullable: true, description: 'Adds a note to an account. Visible only to staff.' })
  async addNote(
    @Arg('input', () => AddNoteInput, { description: 'Account, and text of the note.' }) {
      developerId,
      text,
    }: AddNoteInput,
    @Ctx() context: RequestContext,
  ): Promise<AddNotePayload> {
    return { note: await this.all.add(developerIdOf(developerId), text, actorOf(context)) };
  }

  /** Finds a note by its node ID. Only staff can read notes. */
  readonly node: LoadNode = async (key, { principal }) =>
    principal?.kind === 'session' && principal.role !== 'developer' && isUuid(key) ? this.all.find(key) : undefined;
}

@Resolver(() => Note)
export class NoteAuthorResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'Author of the note.' })
  @ExtraReads(READ_TOGETHER)
  author(@Root() { by }: Note, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(by, context);
  }
}
