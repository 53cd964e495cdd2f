import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import type { RequestContext } from '../core/context.js';
import { orderIdOf } from '../graphql-toolkit/node.js';
import type { CorrectionService } from './correction.service.js';
import { deciderOf, type MoneyPayloads } from './money.payloads.js';
import { AskProviderInput, ChargeAgainInput, MoneyPayload, OrderPayload, ReverseOrderInput } from './money.types.js';
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
    return this.#parts.payloads.of(
      await this.#parts.reviews.resolve({ ...input, orderId: orderIdOf(input.orderId) }, deciderOf(context)),
    );
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Takes a success back that was not performed: the money returns to the wallet, and its key answers REVERSED. In production it becomes a proposal until a second admin carries it out. Undone by chargeAgain.',
  })
  async reverseOrder(
    @Arg('input', () => ReverseOrderInput, { description: 'Which success, and why.' })
    { orderId, reason }: ReverseOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { corrections, payloads } = this.#parts;
    return payloads.of(await corrections.correct('order.reverse', orderIdOf(orderId), reason, deciderOf(context)));
  }

  @Mutation(() => MoneyPayload, {
    nullable: true,
    description:
      'Charges an order that has failed or was reversed although it was performed: it is a success again. In production it becomes a proposal until a second admin carries it out; without the balance nothing changes and the proposal goes on waiting. Undone by reverseOrder.',
  })
  async chargeAgain(
    @Arg('input', () => ChargeAgainInput, { description: 'Which order, and why.' })
    { orderId, reason }: ChargeAgainInput,
    @Ctx() context: RequestContext,
  ): Promise<MoneyPayload> {
    const { corrections, payloads } = this.#parts;
    return payloads.of(await corrections.correct('order.charge_again', orderIdOf(orderId), reason, deciderOf(context)));
  }

  @Mutation(() => OrderPayload, {
    nullable: true,
    description:
      'Has the provider asked about an order now, whatever its state; the answer appears on its timeline. An answer that contradicts an order which was given back puts it into the review queue and moves no money.',
  })
  async askProvider(
    @Arg('input', () => AskProviderInput, { description: 'Which order.' }) { orderId }: AskProviderInput,
    @Ctx() context: RequestContext,
  ): Promise<OrderPayload> {
    const { id } = await this.#parts.questions.ask(orderIdOf(orderId), actorOf(context));
    return { order: (await this.#parts.payloads.order(id))! };
  }
}
