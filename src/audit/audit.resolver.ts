import { Query, Resolver } from 'type-graphql';
import { paise, rupeesNumber } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import { AuditConnection, type AuditEntry, AuditTrailArguments } from './audit.types.js';

const PAGE = `select id::text, at, actor, action, subject, before, after, coalesce(reason, '') as reason, request_id as "requestId"
  from audit_entry where audit_entry.id < $1::bigint and audit_entry.id > $2::bigint
    and ($3::text is null or subject = $3 or starts_with(subject, $3 || '/'))
    and ($4::text is null or actor = $4) and ($5::text is null or action = $5)
    and ($6::timestamptz is null or at >= $6) and ($7::timestamptz is null or at < $7)
  order by audit_entry.id`;

type State = Record<string, unknown>;
type Row = Omit<AuditEntry, 'at' | 'before' | 'after'> & { at: string; before: State | null; after: State | null };

/** The trail keeps amounts in paise, as tables do. Clients read rupees, as everywhere in the graph, under the name without the unit. */
const stateText = (state: State | null): string | null =>
  state &&
  JSON.stringify(
    Object.fromEntries(
      Object.entries(state).map(([key, value]) =>
        key.endsWith('Paise') && typeof value === 'string'
          ? [key.slice(0, -'Paise'.length), rupeesNumber(paise(value))]
          : [key, value],
      ),
    ),
  );

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
    @Arguments(AuditTrailArguments) { filter = {}, ...request }: AuditTrailArguments,
  ): Promise<AuditConnection> {
    const slice = sliceOf('audit', request, /^\d{1,18}$/);
    const { subject, actor, action, from, to } = filter;
    const { rows } = await this.#db.query<Row>({
      text: `${PAGE} ${slice.backwards ? 'asc' : 'desc'} limit $8`,
      values: [
        slice.after ?? '9223372036854775807',
        slice.before ?? '0',
        subject ?? null,
        actor ?? null,
        action ?? null,
        from ?? null,
        to ?? null,
        slice.size + 1,
      ],
    });
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      ({ at, before, after, ...entry }) => ({
        ...entry,
        at: new Date(at),
        before: stateText(before),
        after: stateText(after),
      }),
    );
  }
}
