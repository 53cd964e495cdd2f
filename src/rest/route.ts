import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { type DocumentNode, getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import type { Environment } from '../core/environment.js';
import type { ErrorCode } from '../core/errors.js';
import type { Documents } from './generated/documents.js';

/** How a REST value becomes a GraphQL one. Nothing is validated here: what does not fit goes on as it is and is refused there. */
export type FieldKind =
  | 'text'
  /** Also plain decimal text, as PHP clients send it; exponents and other text stay text and are refused. */
  | 'number'
  /** Also the text of it, as forms send it: true, false, 1, 0. */
  | 'boolean'
  /** Ends of a range: a calendar day in India or an instant. A day begins it with its first instant, and ends it with its last. */
  | 'from'
  | 'to'
  /** Words of an enum, in any case: REST spelling → GraphQL name. */
  | Readonly<Record<string, string>>;

/** The setting that says how high an amount may be. */
export type Maximum = 'maxRechargePaise' | 'maxBillPaymentPaise';

export interface RestField {
  /** Path in the document's variables, such as "input.accountNumber". */
  to: string;
  kind: FieldKind;
  /** Other words of an enum that are taken and not documented as its values: REST spelling → GraphQL name. */
  alsoTaken?: Readonly<Record<string, string>>;
  /** "" means absent; null always does. */
  optional?: boolean;
  /** The contract of REST demands what GraphQL may leave out. */
  required?: true;
  /** What its service takes at most, for the documents. */
  atMost?: Maximum;
  /** Several values: separated by commas, or given more than once. */
  list?: true;
  /**
   * Text that is made of digits: in JSON also a whole number above 0 that is written in digits alone, as databases count. Of
   * `where` it is true when that field has this word.
   */
  alsoNumber?: true | { where: string; is: string };
  /** A key of the caller. In an address a `+` of it may mean itself or a blank: both are looked up. */
  isKey?: true;
  /** What the reference says of it; by default what GraphQL says. */
  description?: string;
}

/** Body of a success (or of a pending order) as docs/interface.md writes it. */
export interface RestAnswer {
  retryAfterS?: number;
  body: Record<string, unknown>;
}

/** What an answer depends on in addition to its result. */
export interface AnsweredRequest {
  /** The result is that of an earlier, equal request. */
  replayed: boolean;
}

/** A path of the REST layer: names, words and envelope around a GraphQL document that does everything else. */
export interface RestRoute {
  /** POST takes its fields from the body, the others from the query; those that the path names come from there. */
  method: 'GET' | 'POST' | 'DELETE';
  /** Parameters in braces are fields: `/api/v1/webhooks/{id}`. */
  path: string;
  /** One named operation whose one root field has the alias `result`. */
  document: DocumentNode;
  /**
   * Places an order that can end as failed: a failure's `status` is what the catalogue says (`onRecharge`). On every other path it is
   * `error`.
   */
  mayHaveFailed?: true;
  /** The field of the caller's own key, which the header Idempotency-Key may hold too. */
  keyField?: string;
  /** HTTP status of a validation failure. */
  validationStatus: 400 | 422;
  /** The failures of its service, in addition to those that any request can have: see openapi/codes.ts. */
  codes: readonly ErrorCode[];
  fields: Readonly<Record<string, RestField>>;
  /** Refuses unknown and empty parameters: our own GET paths do, those of the contract ignore them. */
  isStrict?: true;
  answer: (result: never, request: AnsweredRequest) => RestAnswer;
  /** A request that works in UAT as it stands; shown in the reference and executed by its test. */
  example: Readonly<Record<string, unknown>>;
  /** What the example says in production instead, where UAT has samples; undefined is left out. */
  inProduction?: Readonly<Record<string, unknown>>;
  /** A repetition may get the first answer again, which the header Idempotent-Replayed says. */
  replays?: true;
  /** Moves money: `status` is `pending` while the outcome is not known. */
  mayBePending?: true;
}

/** The kind of a field that becomes a value of a GraphQL type; words become names of its enum. */
type KindOf<Value> = [Value] extends [number]
  ? 'number'
  : [Value] extends [boolean]
    ? 'boolean'
    : string extends Value
      ? 'text' | 'from' | 'to'
      : Readonly<Record<string, Value & string>>;

/** Of a list, what is in it. */
type One<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** An empty text counts as absent only where the value may be absent. */
type FieldTo<To extends string, Value> = {
  to: To;
  kind: KindOf<One<NonNullable<Value>>>;
  alsoTaken?: Readonly<Record<string, One<NonNullable<Value>> & string>>;
  required?: true;
  isKey?: true;
  alsoNumber?: RestField['alsoNumber'];
  atMost?: Maximum;
  description?: string;
} & (null extends Value ? { optional?: boolean } : { optional?: never }) &
  // a variable that is a list takes one of its items too
  ([Extract<NonNullable<Value>, readonly unknown[]>] extends [never] ? { list?: never } : { list: true });

/** The fields that a document's variables have room for: of an input object its properties, else the variable itself. */
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
  /** The result of an operation that succeeded. */
  answer: (result: NonNullable<NoInfer<Result>>, request: AnsweredRequest) => RestAnswer;
  example: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
  inProduction?: Readonly<Partial<Record<NoInfer<Name>, unknown>>>;
}

/** A route whose fields fit the variables of its document, and whose answer fits its result. */
export const route = <Result, Variables, Name extends string>(
  typed: TypedRoute<Result, Variables, Name>,
): RestRoute => ({ validationStatus: 422, codes: [], ...typed });

/** Whether its fields come as a body; those of the other methods stand in the address. */
export const takesBody = ({ method }: Pick<RestRoute, 'method'>): boolean => method === 'POST';

export const operationOf = ({ document }: RestRoute): OperationDefinitionNode => getOperationAST(document)!;

/** The example of a route as an environment shows it. */
export function exampleOf({ example, inProduction }: RestRoute, environment: Environment): Record<string, unknown> {
  const shown = environment === 'production' ? { ...example, ...inProduction } : example;
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

/**
 * The document of a route, with the types of what it takes and gives. They are found by its text: a text that is new or changed
 * compiles once `npm run generate` has seen it.
 */
export const graphql = <Text extends keyof Documents>(
  text: Text,
): TypedDocumentNode<Documents[Text]['data'], Documents[Text]['variables']> => parse(text);
