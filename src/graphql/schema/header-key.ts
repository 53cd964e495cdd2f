import { type GraphQLField, getNullableType, isInputObjectType } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { FieldProblem } from '../../core/errors.js';

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
