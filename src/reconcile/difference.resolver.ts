import type { MikroORM } from '@mikro-orm/postgresql';
import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { actingUserOf } from '../accounts/account.changes.js';
import type { PeopleReader } from '../accounts/people/people.reader.js';
import { User } from '../accounts/people/people.types.js';
import type { AuditService } from '../audit/audit.service.js';
import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { inTransaction } from '../db/orm.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { orderIdOf, orderNodeId, recordId } from '../graphql-toolkit/node.js';
import { ExtraReads, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import type { DifferenceSelection, DifferenceStore, StoredDifference } from './difference.store.js';
import {
  ResolveStatementDifferenceInput,
  ResolveStatementDifferencePayload,
  StatementDifference,
  StatementDifferenceConnection,
  type StatementDifferenceFilter,
  StatementDifferencesArguments,
} from './difference.types.js';

export interface DifferenceParts {
  orm: MikroORM;
  audit: AuditService;
  differences: DifferenceStore;
  people: PeopleReader;
}

/** Differences that `gateway reconcile` found, for staff. */
@Resolver(() => StatementDifference)
export class DifferenceResolver {
  constructor(private readonly parts: DifferenceParts) {}

  @Query(() => StatementDifferenceConnection, {
    nullable: true,
    description: 'Differences between the statements of providers and our orders, newest first.',
  })
  async statementDifferences(
    @Arguments(StatementDifferencesArguments) { filter = {}, ...request }: StatementDifferencesArguments,
  ): Promise<StatementDifferenceConnection> {
    return pageView(await this.parts.differences.page(selectionOf(filter), request), viewOf);
  }

  @Mutation(() => ResolveStatementDifferencePayload, {
    nullable: true,
    description:
      'Resolves a difference, with a reason. No money moves, and no order changes. A difference that is already resolved is a CONFLICT.',
  })
  async resolveStatementDifference(
    @Arg('input', () => ResolveStatementDifferenceInput, { description: 'Difference and reason.' })
    { differenceId, reason }: ResolveStatementDifferenceInput,
    @Ctx() context: RequestContext,
  ): Promise<ResolveStatementDifferencePayload> {
    const id = recordId(differenceId, 'dif', 'difference');
    const { orm, audit, differences } = this.parts;
    const by = actingUserOf(context);
    return inTransaction(orm, async (tx) => {
      const difference = await differences.lock(id, tx);
      if (!difference) throw new AppError('RECORD_NOT_FOUND', { message: 'No difference has this ID.' });
      if (difference.resolution) throw new AppError('CONFLICT', { message: 'This difference is already resolved.' });
      await differences.resolve(id, by.userId, reason, tx);
      const { provider, kind, orderId, reference } = difference;
      const after = { resolution: 'staff', provider, kind, orderId, reference };
      await audit.record(
        by,
        { action: 'reconcile.resolve', subject: `difference:${id}`, before: { resolution: null }, after, reason },
        tx,
      );
      return { difference: viewOf((await differences.lock(id, tx))!) };
    });
  }

  @FieldResolver(() => User, { nullable: true, description: 'User who resolved the difference.' })
  @ExtraReads(READ_TOGETHER)
  async resolvedBy(@Root() { resolvedById }: StatementDifference): Promise<User | null> {
    return resolvedById === null ? null : ((await this.parts.people.find(resolvedById)) ?? null);
  }
}

/** Returns the selection. Throws RECORD_NOT_FOUND for an order ID that cannot exist. */
export const selectionOf = ({
  provider,
  kind,
  resolved,
  orderId,
  from,
  to,
}: StatementDifferenceFilter): DifferenceSelection => ({
  provider,
  kinds: kind,
  resolved,
  orderId: orderId == null ? undefined : orderIdOf(orderId),
  foundFrom: from,
  foundBefore: to,
});

export const differenceNodeId = (id: string): string => `dif_${id}`;

const viewOf = ({
  id,
  orderId,
  ourStatus,
  ourAmount,
  theirStatus,
  theirAmount,
  occurredAt,
  resolvedBy,
  resolvedRunId,
  ...difference
}: StoredDifference): StatementDifference => ({
  ...difference,
  id: differenceNodeId(id),
  orderId: orderId && orderNodeId(orderId),
  orderStatus: ourStatus,
  orderAmount: ourAmount,
  lineStatus: theirStatus,
  lineAmount: theirAmount,
  at: occurredAt,
  resolvedById: resolvedBy,
  resolvedByRunId: resolvedRunId,
});
