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
  /** Also accepts plain decimal text, as PHP clients send it. Exponents and other text stay text and are rejected. */
  | 'number'
  /** Also accepts text, as forms send it: true, false, 1, 0. */
  | 'boolean'
  /**
   * Ends of a range: a calendar day (IST) or a time. A day stands for its first moment at the start of a range, and for its
   * last at the end.
   */
  | 'from'
  | 'to'
  /** Values of an enum, case-insensitive: REST spelling → GraphQL name. */
  | Readonly<Record<string, string>>;

/** The setting with the maximum of an amount. */
export type Maximum = 'maxRechargePaise' | 'maxBillPaymentPaise';

export interface RestField {
  /** Path in the document's variables, such as "input.accountNumber". */
  to: string;
  kind: FieldKind;
  /** Undocumented aliases of enum values: REST spelling → GraphQL name. */
  aliases?: Readonly<Record<string, string>>;
  /** Whether "" means absent. Null always does. */
  optional?: boolean;
  /** Set if REST requires the field although it is optional in GraphQL. */
  required?: true;
  /** Setting with the maximum of the service, for the documentation. */
  atMost?: Maximum;
  /** Whether the field has several values, separated by commas or sent as several parameters. */
  list?: true;
  /**
   * For text made of digits: in JSON, a whole number above 0 without sign or exponent is also accepted, because databases
   * often store such values as numbers. With `where`, only if that field has the given value.
   */
  alsoNumber?: true | { where: string; is: string };
  /** Whether the field is an idempotency key. A `+` in a URL may stand for itself or for a space, so both are looked up. */
  isKey?: true;
  /** Description in the reference. Defaults to the GraphQL description. */
  description?: string;
}

/** Body of a success (or of a pending order), as specified in docs/interface.md. */
export interface RestAnswer {
  retryAfterS?: number;
  body: Record<string, unknown>;
}

/** Properties of the request that the response depends on, besides its result. */
export interface AnsweredRequest {
  /** Whether the result is that of an earlier, equal request. */
  replayed: boolean;
}

/** A path of the REST layer: the names, values and envelope of a GraphQL operation that does all the work. */
export interface RestRoute {
  /** POST requests have their fields in the body, others in the query. Path parameters are fields as well. */
  method: 'GET' | 'POST' | 'DELETE';
  /** Parameters in braces are fields: `/api/v1/webhooks/{id}`. */
  path: string;
  /** One named operation with a single root field, which has the alias `result`. */
  document: DocumentNode;
  /**
   * Set if the path places an order that can fail: the `status` of a failure is then that of the catalog (`onRecharge`). On
   * all other paths it is `error`.
   */
  mayHaveFailed?: true;
  /** The field of the idempotency key, which can also be sent in the Idempotency-Key header. */
  keyField?: string;
  /** HTTP status of a validation failure. */
  validationStatus: 400 | 422;
  /** Error codes of its service, besides those that any request can have: see openapi/codes.ts. */
  codes: readonly ErrorCode[];
  fields: Readonly<Record<string, RestField>>;
  /**
   * Rejects unknown and empty parameters. Set for the GET paths that extend the contract; those of the contract ignore them.
   */
  isStrict?: true;
  answer: (result: never, request: AnsweredRequest) => RestAnswer;
  /** A request that works in UAT without changes. It is shown in the reference and executed by its test. */
  example: Readonly<Record<string, unknown>>;
  /** Values of the example that differ in Production, where UAT has sample data. Undefined values are left out. */
  inProduction?: Readonly<Record<string, unknown>>;
  /** Whether a retry can return the first response again, marked by the Idempotent-Replayed header. */
  replays?: true;
  /** Whether the path moves money: `status` is `pending` while the outcome is not known. */
  mayBePending?: true;
}

/** Kind of a field that becomes a value of a GraphQL type. Words become enum values. */
type KindOf<Value> = [Value] extends [number]
  ? 'number'
  : [Value] extends [boolean]
    ? 'boolean'
    : string extends Value
      ? 'text' | 'from' | 'to'
      : Readonly<Record<string, Value & string>>;

/** The item type of a list, otherwise the type itself. */
type One<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** Empty text can mean absent only if the value is optional. */
type FieldTo<To extends string, Value> = {
  to: To;
  kind: KindOf<One<NonNullable<Value>>>;
  aliases?: Readonly<Record<string, One<NonNullable<Value>> & string>>;
  required?: true;
  isKey?: true;
  alsoNumber?: RestField['alsoNumber'];
  atMost?: Maximum;
  description?: string;
} & (null extends Value ? { optional?: boolean } : { optional?: never }) &
  // a list variable also accepts a single item
  ([Extract<NonNullable<Value>, readonly unknown[]>] extends [never] ? { list?: never } : { list: true });

/** Fields that fit the variables of a document: the properties of an input object, otherwise the variable itself. */
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
  answer: (result: NonNullable<NoInfer<Result>>, request: AnsweredRequest) => RestAnswer;
  example: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
  inProduction?: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
}

/** A route whose fields match the variables of its document, and whose response matches its result. */
export const route = <Result, Variables, Name extends string>(
  typed: TypedRoute<Result, Variables, Name>,
): RestRoute => ({ validationStatus: 422, codes: [], ...typed });

/** Whether the fields are in the body. Those of other methods are in the URL. */
export const takesBody = ({ method }: Pick<RestRoute, 'method'>): boolean => method === 'POST';

export const operationOf = ({ document }: RestRoute): OperationDefinitionNode => getOperationAST(document)!;

/** Example of a route for an environment. */
export function exampleOf({ example, inProduction }: RestRoute, environment: Environment): Record<string, unknown> {
  const shown = environment === 'production' ? { ...example, ...inProduction } : example;
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/**
 * The document of a route with the types of its variables and result. Types are found by the text of the document: a new or
 * changed text compiles after `npm run generate`.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => parse(text);
