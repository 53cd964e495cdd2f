import { Query, Resolver } from 'type-graphql';
import type { Queryable } from '../db/pool.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import { AuditConnection, type AuditEntry, AuditTrailArguments } from './audit.types.js';

const PAGE = `select id::text, at, actor, action, subject, before::text, after::text, coalesce(reason, '') as reason, request_id as "requestId"
  from audit_entry where audit_entry.id < $1::bigint and ($2::text is null or subject = $2 or starts_with(subject, $2 || '/'))
  order by audit_entry.id desc limit $3`;

@Resolver()
export class AuditResolver {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  @Query(() => AuditConnection, {
    nullable: true,
    description: 'Everything that admins, users and commands changed, newest first.',
  })
  async auditTrail(
    @Arguments(AuditTrailArguments) { first, after, subject }: AuditTrailArguments,
  ): Promise<AuditConnection> {
    const slice = sliceOf('audit', { first, after }, /^\d{1,18}$/);
    const { rows } = await this.#db.query<Omit<AuditEntry, 'at'> & { at: string }>({
      text: PAGE,
      values: [slice.after ?? '9223372036854775807', subject ?? null, slice.size + 1],
    });
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      ({ at, ...entry }) => ({ ...entry, at: new Date(at) }),
    );
  }
}
