import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import { checkArguments } from '../../graphql-toolkit/input.js';
import type { KnownOrder } from '../../orders/repetition.js';
import { keyProblems, withHeaderKey } from './header-key.js';
import type { RateLimits } from './limits.js';

/** Finds the order by a field's arguments as far as they could be read. */
export type FindKnown = (
  principal: DeveloperPrincipal,
  args: Record<string, unknown>,
) => Promise<KnownOrder | undefined>;

/**
 * The rule about known keys, for REST and GraphQL: a refusal is about the request and says nothing about an order, so a request
 * that names an existing order is answered with that order, whatever the request would be refused for. It comes right after
 * authentication. The order is read here alone, where a refusal is about to be given; on the ordinary way the hold itself finds it.
 */
export class KnownKeys {
  /** @param finders by mutation */
  constructor(
    private readonly limits: RateLimits,
    private readonly finders: Readonly<Record<string, FindKnown>>,
  ) {}

  /** Wraps the fields whose requests have keys. Outermost, so that it sees what any other rule refuses. */
  protect(schema: GraphQLSchema): GraphQLSchema {
    for (const name of Object.keys(this.finders)) {
      const field = schema.getMutationType()?.getFields()[name];
      const resolve = field?.resolve;
      if (!resolve) throw new Error(`There is no mutation ${name} whose keys could be known.`);
      field.resolve = async (source, args, context: RequestContext, info) => {
        const result = await outcomeOf(() => resolve(source, args, context, info));
        if (!(result instanceof Error)) return result;
        const answer = await this.find(field, args, false, context, result);
        if (!answer) throw result;
        return answer();
      };
    }
    return schema;
  }

  /**
   * What answers a use of a field that is refused: undefined where its arguments name no known order.
   * Errors: those of the query. Without it nobody may say that there is no order.
   *
   * @param raw the arguments are as they came, not as an engine coerced them
   */
  async find(
    field: GraphQLField<unknown, RequestContext>,
    given: Readonly<Record<string, unknown>>,
    raw: boolean,
    context: RequestContext,
    refusal: unknown,
  ): Promise<(() => Promise<unknown>) | undefined> {
    const find = this.finders[field.name];
    const { principal } = context;
    if (!find || principal?.kind !== 'developer' || principal.client || !(refusal instanceof AppError))
      return undefined;
    // it is about an order already
    if (refusal.details.apiRequestId !== undefined) return undefined;
    // two keys name no order
    if (keyProblems(given, context).length > 0) return undefined;
    const known = await find(principal, checkArguments(field.args, withHeaderKey(given, context), {}, raw).values);
    return (
      known &&
      (async () => {
        await this.limits.countRepetition(known);
        const answer = await known.answer();
        context.replayed = true;
        return answer;
      })
    );
  }
}

/** What a resolver gives or throws. graphql-shield returns errors instead of throwing them. */
async function outcomeOf(resolve: () => unknown): Promise<unknown> {
  try {
    return await resolve();
  } catch (error) {
    return error instanceof Error ? error : new AppError('INTERNAL', { cause: error });
  }
}
