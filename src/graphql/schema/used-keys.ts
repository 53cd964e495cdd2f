import { type GraphQLField, type GraphQLSchema, getNullableType, isInputObjectType } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError, type FieldProblem } from '../../core/errors.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import { checkArguments } from '../../graphql-toolkit/input.js';
import type { KnownOrder } from '../../orders/earlier-orders.js';
import type { RateLimits } from './limits.js';

/** Finds the order that the arguments of a field refer to, as far as they could be read. */
export type FindKnownOrder = (
  principal: DeveloperPrincipal,
  args: Record<string, unknown>,
) => Promise<KnownOrder | undefined>;

/**
 * Handles requests with a known idempotency key, for REST and GraphQL. An error applies only to the request, not to an order.
 * Therefore, a request that refers to an existing order gets that order, regardless of the reason for its rejection. This check
 * follows authentication. The order is read here only if the request is about to be rejected; otherwise the hold finds it.
 */
export class UsedKeys {
  /**
   * Creates the lookup.
   * @param finders by mutation
   */
  constructor(
    private readonly limits: RateLimits,
    private readonly finders: Readonly<Record<string, FindKnownOrder>>,
  ) {}

  /**
   * Wraps the fields that accept idempotency keys. This must be the outermost wrapper, so that it sees the errors of all other
   * rules.
   */
  protect(schema: GraphQLSchema): GraphQLSchema {
    for (const name of Object.keys(this.finders)) {
      const field = schema.getMutationType()?.getFields()[name];
      const resolve = field?.resolve;
      if (!resolve) throw new Error(`Unknown mutation ${name}.`);
      field.resolve = async (source, args, context: RequestContext, info) => {
        const result = await outcomeOf(() => resolve(source, args, context, info));
        if (!(result instanceof Error)) return result;
        const readResult = await this.find(field, args, false, context, result);
        if (!readResult) throw result;
        return readResult();
      };
    }
    return schema;
  }

  /**
   * Returns the response for a rejected use of a field, or undefined if its arguments refer to no known order. Throws the errors
   * of the database query, because without its result it is unknown whether the order exists.
   * @param raw whether the arguments were not coerced by an engine
   */
  async find(
    field: GraphQLField<unknown, RequestContext>,
    args: Readonly<Record<string, unknown>>,
    raw: boolean,
    context: RequestContext,
    error: unknown,
  ): Promise<(() => Promise<unknown>) | undefined> {
    const find = this.finders[field.name];
    const { principal } = context;
    if (!find || principal?.kind !== 'developer' || principal.client || !(error instanceof AppError)) return undefined;
    // the error already contains an order
    if (error.details.apiRequestId !== undefined) return undefined;
    // two different keys do not identify an order
    if (keyProblems(args, context).length > 0) return undefined;
    const order = await find(principal, checkArguments(field.args, withHeaderKey(args, context), {}, raw).values);
    return (
      order &&
      (async () => {
        await this.limits.countReplay(order);
        const result = await order.replay();
        context.replayed = true;
        return result;
      })
    );
  }
}

/** Returns the result or the error of a resolver. graphql-shield returns errors instead of throwing them. */
async function outcomeOf(resolve: () => unknown): Promise<unknown> {
  try {
    return await resolve();
  } catch (error) {
    return error instanceof Error ? error : new AppError('INTERNAL', { cause: error });
  }
}

/** Path of the idempotency key in the arguments of a payment. */
const PATH = 'input.clientRequestId';

const NOT_TEXT = 'The Idempotency-Key header must be well-formed UTF-8 text.';
const TWO_KEYS = 'Must be identical to the Idempotency-Key header if both are sent.';

/**
 * Returns whether a field is a payment, whose idempotency key can be sent in the Idempotency-Key header. An operation contains
 * at most one payment, so the key is unambiguous.
 */
export function takesKey({ name, args }: GraphQLField<unknown, RequestContext>): boolean {
  if (name !== 'recharge' && name !== 'payCardBill') return false;
  const input = args.find((argument) => argument.name === 'input');
  const type = input && getNullableType(input.type);
  if (!isInputObjectType(type) || !type.getFields().clientRequestId)
    throw new Error(`${name} has no argument for an idempotency key.`);
  return true;
}

/** Returns the arguments, with the idempotency key of the header if they contain none. */
export function withHeaderKey<Args extends Readonly<Record<string, unknown>>>(
  args: Args,
  context: RequestContext,
): Args {
  const { key, own } = keysOf(args, context);
  if (typeof key !== 'string' || own !== undefined || typeof args.input !== 'object') return args;
  return { ...args, input: { ...args.input, clientRequestId: key } };
}

/** Returns the problems with the idempotency key in the header, according to the rules of its field. */
export function keyProblems(args: Readonly<Record<string, unknown>>, context: RequestContext): FieldProblem[] {
  const { key, own } = keysOf(args, context);
  if (key !== undefined && typeof key !== 'string') return [{ path: PATH, rule: 'TEXT', message: NOT_TEXT }];
  if (key === undefined || own === undefined || own === key) return [];
  return [{ path: PATH, rule: 'COMBINATION', message: TWO_KEYS }];
}

/** Returns the idempotency keys of the arguments and the header. Blank keys are treated as missing. */
function keysOf({ input }: Readonly<Record<string, unknown>>, { headerKey }: RequestContext) {
  const inputKey = (input as { clientRequestId?: unknown } | null | undefined)?.clientRequestId;
  return {
    key: trimmed(headerKey),
    own: inputKey === null ? undefined : typeof inputKey === 'string' ? inputKey.trim() : inputKey,
  };
}

const trimmed = (key: RequestContext['headerKey']): RequestContext['headerKey'] =>
  typeof key === 'string' ? key.trim() || undefined : key;
