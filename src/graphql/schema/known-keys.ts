import { type GraphQLField, type GraphQLSchema, getNullableType, isInputObjectType } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError, type FieldProblem } from '../../core/errors.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import { checkArguments } from '../../graphql-toolkit/input.js';
import type { KnownOrder } from '../../orders/repetition.js';
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

/** The path of a payment's own key among the arguments of its field. */
const PATH = 'input.clientRequestId';

const NOT_TEXT = 'The header Idempotency-Key must be well-formed UTF-8 text.';
const TWO_KEYS = 'Must be what the header Idempotency-Key says, where both are sent.';

/** The payments, whose key may come in the header Idempotency-Key. An operation has one of them at most, so it is clear whose it is. */
export function takesKey({ name, args }: GraphQLField<unknown, RequestContext>): boolean {
  if (name !== 'recharge' && name !== 'payCardBill') return false;
  const input = args.find((argument) => argument.name === 'input');
  const type = input && getNullableType(input.type);
  if (!isInputObjectType(type) || !type.getFields().clientRequestId) throw new Error(`${name} takes no key.`);
  return true;
}

/** The arguments with the header's key where they have none. */
export function withHeaderKey<Args extends Readonly<Record<string, unknown>>>(
  args: Args,
  context: RequestContext,
): Args {
  const { key, own } = keysOf(args, context);
  if (typeof key !== 'string' || own !== undefined || typeof args.input !== 'object') return args;
  return { ...args, input: { ...args.input, clientRequestId: key } };
}

/** What is wrong with the header's key beside the rules of its field. */
export function keyProblems(args: Readonly<Record<string, unknown>>, context: RequestContext): FieldProblem[] {
  const { key, own } = keysOf(args, context);
  if (key !== undefined && typeof key !== 'string') return [{ path: PATH, rule: 'TEXT', message: NOT_TEXT }];
  if (key === undefined || own === undefined || own === key) return [];
  return [{ path: PATH, rule: 'COMBINATION', message: TWO_KEYS }];
}

/** Blank ones are none. */
function keysOf({ input }: Readonly<Record<string, unknown>>, { headerKey }: RequestContext) {
  const own = (input as { clientRequestId?: unknown } | null | undefined)?.clientRequestId;
  return { key: trimmed(headerKey), own: own === null ? undefined : typeof own === 'string' ? own.trim() : own };
}

const trimmed = (key: RequestContext['headerKey']): RequestContext['headerKey'] =>
  typeof key === 'string' ? key.trim() || undefined : key;
