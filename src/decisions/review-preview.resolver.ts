import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { Viewer } from '../accounts/people/session.types.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { canManageMoney, type UserId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import { type Postings, resolutionPostings } from '../ledger/posting-preview.js';
import type { Operation } from '../ledger/postings.js';
import type { Allowances } from './alone-allowance.js';
import { standing } from './review.decision.js';
import { Allowance, PostingPreview, type Resolution, ResolutionEnum, ReviewOrder } from './review.types.js';

const RESOLUTIONS = Object.values(ResolutionEnum) as Resolution[];

/** Resolver for the postings of each possible resolution of an order, and whether it requires approval. */
@Resolver(() => ReviewOrder)
export class ReviewPreviewResolver {
  readonly #postings: Loader<Operation, Postings>;

  constructor(
    db: Queryable,
    private readonly allowances: Allowances,
    private readonly developers: Pick<DevelopersReader, 'find'>,
  ) {
    this.#postings = batchedLoader((operations) => resolutionPostings(db, operations));
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Account of the order.' })
  @ExtraReads(READ_TOGETHER)
  async developer(@Root() { order }: ReviewOrder): Promise<Developer | null> {
    return (await this.developers.find(order.developerId)) ?? null;
  }

  @FieldResolver(() => [PostingPreview], {
    nullable: true,
    description:
      'Postings of each possible resolution. For an order with a conflicting provider status, only the resolution that confirms its final status.',
  })
  @Entries(2)
  async preview(
    @Root() { order, environment, statusConflictAt }: ReviewOrder,
    @Ctx() context: RequestContext,
  ): Promise<PostingPreview[]> {
    if (statusConflictAt) return [{ resolution: standing(order.judged!), entries: [], requiresApproval: false }];
    const [postings, left] = await Promise.all([
      this.#postings.load(order.judged!.operation),
      this.allowances.of(sessionOf(context).userId),
    ]);
    const requiresApproval = environment === 'production' && order.amount > left.resolve;
    return RESOLUTIONS.map((resolution) => {
      const entry = { ...postings.get(resolution === 'success')!, amount: order.amount };
      return { resolution, entries: [entry], requiresApproval };
    });
  }
}

/** Resolver for the remaining daily limits of the signed-in user. */
@Resolver(() => Viewer)
export class AllowanceResolver {
  constructor(private readonly allowances: Allowances) {}

  @FieldResolver(() => Allowance, {
    nullable: true,
    description:
      'Remaining daily limits of the user for changes without a second person. Null for users who cannot move money.',
  })
  async allowance(@Root() { userId, role }: Viewer): Promise<Allowance | null> {
    return canManageMoney(role) ? this.allowances.of(userId as UserId) : null;
  }
}
