import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import type { Environment } from '../core/environment.js';
import type { ErrorCode } from '../core/errors.js';
import type { Documents } from './generated/documents.js';

/**
 * How a REST value becomes a GraphQL value. Nothing is validated here: a value that cannot be converted is passed on
 * unchanged and rejected by GraphQL.
 */
export type FieldKind =
  | 'text'
  /**
   * Number in JSON or in plain decimal text, as PHP clients send it. Numbers with exponents and other text are not converted, so
   * they are rejected.
   */
  | 'number'
  /** Boolean, or the text of a form: true, false, 1, 0. */
  | 'boolean'
  /**
   * Range boundaries: a calendar day (IST) or a time. A day means its first moment at the start of a range, and its last moment
   * at the end.
   */
  | 'from'
  | 'to'
  /** Values of an enum, which are not case-sensitive: REST spelling → GraphQL name. */
  | Readonly<Record<string, string>>;

/** Setting that limits an amount. */
export type Maximum = 'maxRechargePaise' | 'maxBillPaymentPaise';

export interface RestField {
  to: string;
  kind: FieldKind;
  /** Undocumented aliases of enum values: REST spelling → GraphQL name. */
  aliases?: Readonly<Record<string, string>>;
  /** Whether "" is treated as a missing value. Null is always treated as missing. */
  optional?: boolean;
  /** Set if REST requires the field although it is optional in GraphQL. */
  required?: true;
  /** Setting that limits the value. It is used in the documentation. */
  atMost?: Maximum;
  /** Whether the field has several values, separated by commas or sent as several parameters. */
  list?: true;
  /**
   * Whether a positive JSON integer is also accepted for text that consists of digits, because databases often store such values
   * as numbers. With `where`, this applies only if that field has the given value.
   */
  alsoNumber?: true | { where: string; is: string };
  /** Whether the field is an idempotency key. A `+` in a URL can mean itself or a space, so both are looked up. */
  isKey?: true;
  /** Description in the reference. Defaults to the GraphQL description. */
  description?: string;
}

/** Body of a success (or of a pending order), as specified in docs/interface.md. */
export interface RouteResponse {
  retryAfterS?: number;
  body: Record<string, unknown>;
}

/** Properties of the request that the response depends on, besides its result. */
export interface ResponseContext {
  /** Whether the result is that of an earlier, identical request. */
  replayed: boolean;
}

/** Path of the REST layer. It contains only the names, values and envelope; the GraphQL operation does all the work. */
export interface RestRoute {
  /** POST requests have their fields in the body, others in the query. Path parameters are fields as well. */
  method: 'GET' | 'POST' | 'DELETE';
  /** Parameters in braces are fields, such as `/api/v1/webhooks/{id}`. */
  path: string;
  /** One named operation with a single root field, which has the alias `result`. */
  document: DocumentNode;
  /**
   * Set if the path places an order that can fail: the `status` of a failure is then that of the catalog (`onRecharge`). On
   * all other paths it is `error`.
   */
  mayHaveFailed?: true;
  /** Field with the idempotency key, which can also be sent in the Idempotency-Key header. */
  keyField?: string;
  /** HTTP status of a validation failure. */
  validationStatus: 400 | 422;
  /** Error codes specific to this path. For codes that any request can receive, see openapi/codes.ts. */
  codes: readonly ErrorCode[];
  fields: Readonly<Record<string, RestField>>;
  /**
   * Whether unknown and empty parameters are rejected. It is set for GET paths that extend the contract. GET paths of the
   * contract ignore such parameters.
   */
  isStrict?: true;
  toResponse: (result: never, request: ResponseContext) => RouteResponse;
  /** Request that works in UAT without changes. The reference shows it, and a test runs it. */
  example: Readonly<Record<string, unknown>>;
  /**
   * Values that replace those of the example in Production, where the sample data of UAT does not exist. Fields set to undefined
   * are omitted.
   */
  inProduction?: Readonly<Record<string, unknown>>;
  /** Whether a retry can receive the first response again, marked by the Idempotent-Replayed header. */
  replays?: true;
  /** Whether the path moves money: `status` is `pending` while the outcome is not known. */
  mayBePending?: true;
}

/** Kind of a REST field for a GraphQL type. Text values become enum values. */
type KindOf<Value> = [Value] extends [number]
  ? 'number'
  : [Value] extends [boolean]
    ? 'boolean'
    : string extends Value
      ? 'text' | 'from' | 'to'
      : Readonly<Record<string, Value & string>>;

/** Item type of a list, otherwise the type itself. */
type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

type FieldTo<To extends string, Value> = {
  to: To;
  kind: KindOf<ItemOf<NonNullable<Value>>>;
  aliases?: Readonly<Record<string, ItemOf<NonNullable<Value>> & string>>;
  required?: true;
  isKey?: true;
  alsoNumber?: RestField['alsoNumber'];
  atMost?: Maximum;
  description?: string;
} & (null extends Value ? { optional?: boolean } : { optional?: never }) &
  // a list variable accepts a single item as well
  ([Extract<NonNullable<Value>, readonly unknown[]>] extends [never] ? { list?: never } : { list: true });

/** Fields that match the variables of a document. The properties of an input object are separate fields. */
type FieldOf<Variables> = {
  [Name in keyof Variables & string]-?: NonNullable<Variables[Name]> extends infer Input extends object
    ? { [Property in keyof Input & string]-?: FieldTo<`${Name}.${Property}`, Input[Property]> }[keyof Input & string]
    : FieldTo<Name, Variables[Name]>;
}[keyof Variables & string];

interface TypedRoute<Result, Variables, Name extends string>
  extends Pick<RestRoute, 'method' | 'path' | 'mayHaveFailed' | 'mayBePending' | 'replays' | 'isStrict'>,
    Partial<Pick<RestRoute, 'validationStatus' | 'codes'>> {
  document: TypedDocumentNode<{ result: Result }, Variables>;
  fields: Readonly<Record<Name, FieldOf<NoInfer<Variables>>>>;
  keyField?: NoInfer<Name>;
  /** Creates the response from the result of a successful operation. */
  toResponse: (result: NonNullable<NoInfer<Result>>, request: ResponseContext) => RouteResponse;
  example: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
  inProduction?: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
}

/** Creates a route whose fields match the variables of its document, and whose response matches its result. */
export const route = <Result, Variables, Name extends string>(
  definition: TypedRoute<Result, Variables, Name>,
): RestRoute => ({ validationStatus: 422, codes: [], ...definition });

/** Returns whether the fields are in the body. Those of other methods are in the URL. */
export const takesBody = ({ method }: Pick<RestRoute, 'method'>): boolean => method === 'POST';

export const operationOf = ({ document }: RestRoute): OperationDefinitionNode => getOperationAST(document)!;

export function exampleOf({ example, inProduction }: RestRoute, environment: Environment): Record<string, unknown> {
  const values = environment === 'production' ? { ...example, ...inProduction } : example;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Returns a route document with the types of its variables and result. The types are found by the text of the document, so a new
 * or changed document compiles only after `npm run generate`.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => parse(text);
