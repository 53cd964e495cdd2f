import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { CorrectionService } from './correction.service.js';
import { deciderOf, type MoneyPayloads } from './money.payloads.js';
import { MoneyPayload } from './money.types.js';
import type { ProviderQuestionService } from './provider-question.service.js';
import type { ReviewService } from './review.service.js';
import { ResolveOrderInput } from './review.types.js';

export interface CorrectionResolverParts {
  reviews: ReviewService;
  corrections: CorrectionService;
  questions: ProviderQuestionService;
  payloads: MoneyPayloads;
}

/** What admins decide about an order: what became of it, and what undoes a wrong outcome. */
@Resolver()
export class CorrectionResolver {
  readonly #parts: CorrectionResolverParts;

  constructor(parts: CorrectionResolverParts) {
    this.#parts = parts;
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Decides an order in review, or confirms a decided one that its provider contradicts. In production above the configured amount it becomes a proposal (the order stays PENDING) until a second admin carries it out; who decides the opposite replaces it.',
  })
  async resolveOrder(
    @Arg('input', () => ResolveOrderInput, { description: 'What became of it.' }) input: ResolveOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    return this.#parts.payloads.of(await this.#parts.reviews.resolve(input, deciderOf(context)));
  }
}
