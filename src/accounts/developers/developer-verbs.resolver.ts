import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { maySeeAccount, type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { developerIdOf } from '../../graphql-toolkit/node.js';
import { proposalView } from '../../proposals/proposal.view.js';
import { deciderOf } from '../account.changes.js';
import type { AccountDeciding } from './account.deciding.js';
import { DeveloperPayload } from './developer.types.js';
import { type DeveloperVerb, developerVerbs, type OfDeveloper, type Verb } from './developer.verbs.js';
import type { DevelopersReader } from './developers.reader.js';

/** A mutation for each row of `developerVerbs`; the answer is the account after it. */
@Resolver()
export class DeveloperVerbsResolver {
  constructor(
    private readonly deciding: AccountDeciding,
    private readonly developers: DevelopersReader,
  ) {}

  /** An account that the caller may not see is as unknown as one that does not exist. */
  async change(name: DeveloperVerb, input: OfDeveloper, context: RequestContext): Promise<DeveloperPayload> {
    const id = developerIdOf(input.developerId);
    if (!maySeeAccount(context, id)) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
    const { adminsAlone }: Verb<OfDeveloper> = developerVerbs[name];
    const message = sessionOf(context).role === 'admin' ? undefined : adminsAlone?.(input);
    if (message) throw new AppError('FORBIDDEN', { message });
    const { proposal } = await this.deciding.change(name, input as never, deciderOf(context));
    return { developer: await this.developers.byId(id), proposal: proposal ? proposalView(proposal) : null };
  }
}

const { prototype } = DeveloperVerbsResolver;
for (const name of Object.keys(developerVerbs) as DeveloperVerb[]) {
  const { description, input, about } = developerVerbs[name];
  const method = {
    value(this: DeveloperVerbsResolver, given: OfDeveloper, context: RequestContext): Promise<DeveloperPayload> {
      return this.change(name, given, context);
    },
  };
  Object.defineProperty(prototype, name, method);
  Mutation(() => DeveloperPayload, { nullable: true, description })(prototype, name, method);
  Arg('input', () => input, { description: about })(prototype, name, 0);
  Ctx()(prototype, name, 1);
}
