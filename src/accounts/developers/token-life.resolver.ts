import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../../core/context.js';
import type { DeveloperId } from '../../core/principal.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { actorOf } from '../acting-user.js';
import { DeveloperPayload } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';
import { ResetTokenLifeInput, SetTokenLifeInput } from './token-life.inputs.js';
import type { TokenLifeService } from './token-life.service.js';

/** How long the tokens of one developer live. */
@Resolver()
export class TokenLifeResolver {
  readonly #lives: TokenLifeService;
  readonly #developers: DevelopersReader;

  constructor(lives: TokenLifeService, developers: DevelopersReader) {
    this.#lives = lives;
    this.#developers = developers;
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'A shorter life for the tokens of one developer, those that live already included.',
  })
  setTokenLife(
    @Arg('input', () => SetTokenLifeInput, { description: 'Whose, and how long.' })
    { developerId, idleDays, maxDays }: SetTokenLifeInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#lives.set(id, { idleDays, maxDays }, actorOf(context)));
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'The tokens of a developer live as long as usual again.',
  })
  resetTokenLife(
    @Arg('input', () => ResetTokenLifeInput, { description: 'Whose.' }) { developerId }: ResetTokenLifeInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    return this.#after(developerId, (id) => this.#lives.reset(id, actorOf(context)));
  }

  /** The account as it is once the change is committed. */
  async #after(developerId: string, change: (id: DeveloperId) => Promise<void>): Promise<DeveloperPayload> {
    const id = developerIdOf(developerId);
    await change(id);
    return { developer: await this.#developers.byId(id), proposal: null };
  }
}
