import { FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { AppError } from '../core/errors.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { listedActors } from './actors.js';
import type { AuditReader } from './audit.reader.js';
import { AuditConnection, AuditEntry, type AuditFilter, AuditLogArguments } from './audit.types.js';
import { summaryOf } from './audit-summary.js';

@Resolver(() => AuditEntry)
export class AuditSummaryResolver {
  @FieldResolver(() => String, {
    description: 'One-line summary, such as "Operator find: enabled → disabled" or "DTH plans: fee ₹0.10 → ₹0.25".',
  })
  summary(@Root() entry: AuditEntry): string {
    return summaryOf(entry);
  }
}

@Resolver()
export class AuditResolver {
  constructor(private readonly reader: AuditReader) {}

  @Query(() => AuditConnection, {
    nullable: true,
    description: 'Audit log of all changes by staff, users, applications and commands, newest first.',
  })
  async auditLog(
    @Arguments(AuditLogArguments) { filter = {}, ...request }: AuditLogArguments,
  ): Promise<AuditConnection> {
    const { subjectId, actorId, action: actions, ...others } = filter;
    const subject = await this.#subject(subjectId);
    const actor = await this.#actor(actorId);
    return this.reader.page({ ...others, actions, subject, actor }, request);
  }

  /**
   * Returns the subject of the filter. Throws RECORD_NOT_FOUND for an unknown ID, because an empty page would suggest that
   * nothing happened.
   */
  async #subject(id: AuditFilter['subjectId']): Promise<string | undefined> {
    if (id == null) return undefined;
    const subject = await this.reader.subjectOf(id);
    if (subject === undefined)
      throw new AppError('RECORD_NOT_FOUND', {
        message: 'Unknown developer, user, order, wallet, white label or webhook endpoint.',
      });
    return subject;
  }

  /** Returns the actor of the filter: a user, the applications of a developer, or a listed actor. Throws RECORD_NOT_FOUND. */
  async #actor(id: AuditFilter['actorId']): Promise<string | undefined> {
    if (id == null || Object.hasOwn(listedActors, id)) return id ?? undefined;
    const known = await this.reader.subjectOf(/^(usr|dev)_/.test(id) ? id : `usr_${id}`);
    if (known !== undefined) return known.replace(/^developer:/, 'token:');
    const names = Object.keys(listedActors).join(', ');
    throw new AppError('RECORD_NOT_FOUND', {
      message: `Unknown user or developer. Enter an existing ID or one of these values: ${names}.`,
    });
  }
}
