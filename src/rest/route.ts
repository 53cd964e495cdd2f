/** How a REST value becomes a GraphQL one. Nothing is validated here: what does not fit goes on as it is and is refused there. */
export type FieldKind =
  | 'text'
  /** Also plain decimal text, as PHP clients send it; exponents and other text stay text and are refused. */
  | 'number'
  /** Words of an enum, in any case: REST spelling → GraphQL name. */
  | Readonly<Record<string, string>>;

export interface RestField {
  /** Argument path in the stored operation, such as "input.accountNumber". */
  to: string;
  kind: FieldKind;
  /** "" means absent; null always does. */
  optional?: boolean;
}

/** Body of a success (or of a pending order) as docs/interface.md writes it. */
export interface RestAnswer {
  retryAfterS?: number;
  body: Record<string, unknown>;
}

/** How long a client waits before it asks again about a pending order. */
export const PENDING_RETRY_S = 5;

/** What a stored operation's one field gives when it succeeds. */
export type Result<Operation extends { result: unknown }> = NonNullable<Operation['result']>;

export interface RestRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Name of the stored operation in rest/operations, whose one root field has the alias `result`. */
  operation: string;
  /**
   * Places an order that can end as failed: a failure's `status` is what the catalogue says (`onRecharge`). On every other path it is
   * `error`.
   */
  mayHaveFailed?: true;
  /** The field of the caller's own key, which the header Idempotency-Key may hold too. */
  keyField?: string;
  /** HTTP status of a validation failure. */
  validationStatus: 400 | 422;
  fields: Readonly<Record<string, RestField>>;
  answer: (result: never) => RestAnswer;
  /** A request that works in UAT as it stands; shown in the reference and executed by its test. */
  example: Readonly<Record<string, unknown>>;
  /** Moves money: `status` is `pending` while the outcome is not known. */
  mayBePending?: true;
}

const DECIMAL_TEXT = /^-?\d{1,15}(\.\d+)?$/;

function convert(value: unknown, kind: FieldKind): unknown {
  if (typeof value !== 'string' || kind === 'text') return value;
  const text = value.trim();
  if (kind === 'number') return DECIMAL_TEXT.test(text) ? Number(text) : value;
  const word = Object.keys(kind).find((spelling) => spelling.toLowerCase() === text.toLowerCase());
  return word === undefined ? value : kind[word];
}

/** Body or query parameters → variables of the stored operation. Unknown fields are ignored. */
export function variablesOf(route: RestRoute, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [name, { to, kind, optional }] of Object.entries(route.fields)) {
    const [argument, property] = to.split('.') as [string, string?];
    if (property) variables[argument] ??= {};
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null || (optional && typeof value === 'string' && value.trim() === ''))
      continue;
    if (property) (variables[argument] as Record<string, unknown>)[property] = convert(value, kind);
    else variables[argument] = convert(value, kind);
  }
  return variables;
}
