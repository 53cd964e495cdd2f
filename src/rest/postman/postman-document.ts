/** Parts of an OpenAPI document that the collection uses. Other parts are ignored. */
type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  example?: unknown;
}

interface Media {
  schema?: Json;
  example?: unknown;
  examples?: Record<string, { value?: unknown }>;
}

interface Response {
  content?: Record<string, Media>;
}

export interface Operation {
  method: string;
  path: string;
  /** Tag of the operation, or the start of its path. */
  group: string;
  operationId: string;
  summary: string;
  description: string | undefined;
  isPublic: boolean;
  isUatOnly: boolean;
  parameters: readonly Parameter[];
  /** Example of the request body; undefined for an operation without a body. */
  example: Readonly<Record<string, unknown>> | undefined;
  /** Required fields of the body. */
  required: readonly string[];
  answer: Answer;
}

/** Shape of a success response. */
export interface Answer {
  contentType: string;
  /** Keys that are always present. `dataKeys` are the keys of `data`, if it is an object. */
  keys: readonly string[];
  dataKeys: readonly string[];
  isList: boolean;
  /** Keys of each entry of a list. */
  entryKeys: readonly string[];
  mayBePending: boolean;
}

export interface OpenApi {
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: Json;
}

/** Returns the operations of a document, in the order of the document. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      new DocumentReader(document).operation(method, path, described as Json),
    ),
  );
}

class DocumentReader {
  constructor(private readonly document: OpenApi) {}

  operation(method: string, path: string, described: Json): Operation {
    const body = this.#at(described.requestBody as Json | undefined) as Response | undefined;
    const media = body?.content?.['application/json'];
    const [tag] = (described.tags as string[] | undefined) ?? [];
    const { operationId, summary, description, security } = described as Record<string, any>;
    return {
      method: method.toUpperCase(),
      path,
      group: tag ?? path.split('/').filter((segment) => !/^(|api|v\d+)$/.test(segment))[0]!,
      operationId,
      summary: summary ?? operationId,
      description,
      isPublic: security?.length === 0,
      isUatOnly: JSON.stringify(described.responses).includes('UAT_ONLY'),
      parameters: ((described.parameters as Json[] | undefined) ?? []).map((one) => this.#at(one) as never),
      example: media && exampleOf(media),
      required: media?.schema ? requiredOf(this.#shape(media.schema)) : [],
      answer: this.#answer((described.responses as Record<string, Json>)['200']!),
    };
  }

  #answer(response: Json): Answer {
    const { content = {} } = this.#at(response) as Response;
    const [[contentType, media] = ['', {} as Media]] = Object.entries(content);
    const shape = this.#shape(media.schema ?? {});
    const properties = (shape.properties ?? {}) as Record<string, Json>;
    const data = this.#shape(properties.data ?? {});
    return {
      contentType,
      keys: requiredOf(shape),
      dataKeys: requiredOf(data),
      isList: data.type === 'array',
      entryKeys: requiredOf(this.#shape((data.items ?? {}) as Json)),
      mayBePending: JSON.stringify(properties.status ?? {}).includes('"pending"'),
    };
  }

  /**
   * Returns a schema without references. Alternatives are merged: all their propertiesare kept, and the required properties that
   * they share.
   */
  #shape(given: Json): Json {
    const schema = this.#at(given)!;
    const alternatives = (schema.oneOf ?? schema.anyOf) as Json[] | undefined;
    if (!alternatives) return schema;
    const shapes = alternatives.map((one) => this.#shape(one));
    return shapes.reduce((one, other) => ({ ...one, ...both(one, other) }));
  }

  /** Returns a part of the document, after following a reference. */
  #at(part: Json | undefined): Json | undefined {
    if (typeof part?.$ref !== 'string') return part;
    const keys = part.$ref.split('/').slice(1);
    return this.#at(keys.reduce<any>((inner, key) => inner[key], this.document));
  }
}

function both(one: Json, other: Json): Json {
  const [mine, theirs] = [one.properties, other.properties] as (Record<string, Json> | undefined)[];
  const shared = Object.keys(theirs ?? {}).filter((name) => mine?.[name] !== undefined);
  return {
    properties: {
      ...mine,
      ...theirs,
      ...Object.fromEntries(shared.map((name) => [name, { oneOf: [mine![name], theirs![name]] }])),
    },
    required: requiredOf(one).filter((name) => requiredOf(other).includes(name)),
  };
}

const requiredOf = ({ required }: Json): string[] => (required as string[] | undefined) ?? [];

const exampleOf = ({ example, examples }: Media): Readonly<Record<string, unknown>> =>
  (example ?? Object.values(examples ?? {})[0]?.value ?? {}) as Readonly<Record<string, unknown>>;
