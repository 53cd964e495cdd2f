import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import type { Surface } from '../../core/environment.js';
import { inputClassOf, rulesOf } from '../../graphql-toolkit/rules.js';
import { escape, inlineCode } from '../pages/html.js';
import { factsOf } from './field-facts.js';
import type { Chapter, RenderedPage } from './markdown.js';

/** Page with the schema reference, which every host has. */
export const GRAPH_REFERENCE = { path: '/docs/graphql/reference', name: 'GraphQL reference' };

/**
 * Returns the anchor of a member. The anchor of a type is its name; members have anchors such as `Order.status` or
 * `Query.orders.first`.
 */
export const anchorOfField = (type: string, field: string): string => `${type}.${field}`;

/**
 * All types and fields of a schema as a page, with description, access and costs. Generated from the schema that the host serves,
 * so that the page always agrees with `/schema.graphql`.
 */
export function graphReference(schema: GraphQLSchema, surface: Surface): RenderedPage {
  const page = new ReferencePage(schema, surface);
  return { title: GRAPH_REFERENCE.name, chapters: page.chapters, html: page.html() };
}

type Field = GraphQLField<unknown, unknown>;

const byName = <Named extends { name: string }>(named: Iterable<Named>): Named[] =>
  [...named].toSorted((one, other) => (one.name < other.name ? -1 : 1));

class ReferencePage {
  readonly #types: readonly GraphQLNamedType[];
  readonly #usedBy: ReadonlyMap<string, readonly string[]>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly surface: Surface,
  ) {
    this.#types = byName(Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__')));
    this.#usedBy = usesOf(this.#types);
  }

  /**
   * Sections of the page, each with an anchor. Every root type has a section; the other types are grouped by kind.
   */
  get #parts(): { id: string; title: string; types: readonly GraphQLNamedType[] }[] {
    const roots = [this.schema.getQueryType(), this.schema.getMutationType(), this.schema.getSubscriptionType()];
    const others = (is: (type: GraphQLNamedType) => boolean) =>
      this.#types.filter((type) => is(type) && !roots.some((root) => root === type));
    const kinds = [
      { id: 'objects', title: 'Objects', types: others(isObjectType) },
      {
        id: 'interfaces',
        title: 'Interfaces and unions',
        types: others((type) => isInterfaceType(type) || isUnionType(type)),
      },
      { id: 'inputs', title: 'Inputs', types: others(isInputObjectType) },
      { id: 'enums', title: 'Enums', types: others(isEnumType) },
      { id: 'scalars', title: 'Scalars', types: others(isScalarType) },
    ];
    return [
      ...roots.flatMap((root, n) =>
        root ? [{ id: root.name, title: ['Queries', 'Mutations', 'Subscriptions'][n]!, types: [root] }] : [],
      ),
      ...kinds.filter(({ types }) => types.length > 0),
    ];
  }

  get chapters(): Chapter[] {
    return this.#parts.map(({ id, title }) => ({ id, title }));
  }

  html(): string {
    return `<h1>${GRAPH_REFERENCE.name}</h1>${this.#introduction()}${this.#parts.map((part) => this.#part(part)).join('\n')}`;
  }

  #introduction(): string {
    const scope =
      this.surface === 'console'
        ? 'All types and fields of the console API, at <code>POST /graphql</code> on this host.'
        : 'All types and fields of the API, at <code>POST /graphql</code> on this host. UAT and Production have the same schema.';
    return `<p>${scope} The schema as text is <a href="/schema.graphql">schema.graphql</a>.</p>
<ul><li><strong>Access</strong>: callers that can use a field. A field without this entry can be used by all callers that can read its object.</li>
<li><strong>Costs</strong>: uses count toward the rate limit, which can differ for an account. The total of rows per operation is limited: see <a href="${this.#limits}">limits</a>. A field without an entry for rows costs none.</li>
<li><code>!</code> means never <code>null</code>; <code>[ ]</code> means a list.</li></ul>`;
  }

  get #limits(): string {
    return this.surface === 'console' ? '/docs#limits' : '/docs/limits#graphql';
  }

  #part({ id, title, types }: { id: string; title: string; types: readonly GraphQLNamedType[] }): string {
    const [first] = types;
    const isRoot = first?.name === id;
    const names = isRoot && isObjectType(first) ? byName(Object.values(first.getFields())) : types;
    const index = names.map(({ name }) => link(isRoot ? anchorOfField(id, name) : name, name)).join(' ');
    const body =
      isRoot && isObjectType(first)
        ? this.#fields(first.name, byName(Object.values(first.getFields())))
        : types.map((type) => this.#type(type)).join('\n');
    return `<h2 id="${id}"><a href="#${id}">${title}</a></h2><p class="index">${index}</p>${body}`;
  }

  #type(type: GraphQLNamedType): string {
    return `<section class="type" id="${type.name}"><h3><a href="#${type.name}">${type.name}</a></h3>${described(type)}${this.#about(type)}${this.#members(type)}</section>`;
  }

  #about(type: GraphQLNamedType): string {
    const facts: string[] = [];
    if (isObjectType(type) || isInterfaceType(type))
      facts.push(...fact('Implements:', type.getInterfaces().map(linkOf)));
    if (isInterfaceType(type) || isUnionType(type))
      facts.push(...fact('Possible types:', this.schema.getPossibleTypes(type).map(linkOf)));
    if (isScalarType(type) && !isSpecifiedScalarType(type))
      facts.push(...fact('For code generators:', [link(`/scalars#${type.name}`, 'TypeScript type')]));
    if (isInputObjectType(type) && type.isOneOf) facts.push('<strong>Exactly one</strong> of the fields must be set');
    facts.push(
      ...fact(
        'Used by:',
        (this.#usedBy.get(type.name) ?? []).map((at) => link(at, at)),
      ),
    );
    return facts.length > 0 ? `<p class="facts">${facts.join('<br>')}</p>` : '';
  }

  #members(type: GraphQLNamedType): string {
    if (isObjectType(type) || isInterfaceType(type))
      return this.#fields(type.name, byName(Object.values(type.getFields())));
    if (isInputObjectType(type))
      return list(
        byName(Object.values(type.getFields())).map((field) =>
          entry(anchorOfField(type.name, field.name), `${nameOf(type.name, field)}${given(field)}`, [
            described(field),
            ruleTexts(type.name, field.name),
          ]),
        ),
      );
    if (isEnumType(type))
      return list(
        byName(type.getValues()).map((value) =>
          entry(anchorOfField(type.name, value.name), nameOf(type.name, value), [described(value)]),
        ),
      );
    return '';
  }

  #fields(typeName: string, fields: readonly Field[]): string {
    return list(
      fields.map((field) =>
        entry(anchorOfField(typeName, field.name), `${nameOf(typeName, field)}: ${typeText(field.type)}`, [
          described(field),
          this.#arguments(typeName, field),
          this.#facts(typeName, field),
        ]),
      ),
    );
  }

  #arguments(typeName: string, { name, args }: Field): string {
    if (args.length === 0) return '';
    const at = anchorOfField(typeName, name);
    return `<ul class="arguments">${args
      .map(
        (one) =>
          `<li id="${anchorOfField(at, one.name)}"><code>${nameOf(at, one)}${given(one)}</code> ${inlineCode(one.description ?? '')}${obsolete(one)}</li>`,
      )
      .join('')}</ul>`;
  }

  #facts(typeName: string, field: Field): string {
    const { who, costs } = factsOf(typeName, field, this.surface);
    const facts = [
      ...fact('Access:', who ? [inlineCode(who)] : []),
      ...fact('Costs:', costs.length > 0 ? [costs.map(inlineCode).join('; ')] : []),
    ];
    return facts.length > 0 ? `<p class="facts">${facts.join('<br>')}</p>` : '';
  }
}

/** Returns the fields that use each type, as the type of the field or of an argument. Scalars are omitted. */
function usesOf(types: readonly GraphQLNamedType[]): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const use = (type: GraphQLType, at: string): void => {
    const named = getNamedType(type);
    if (isScalarType(named)) return;
    const places = uses.get(named.name) ?? [];
    if (places.at(-1) !== at) places.push(at);
    uses.set(named.name, places);
  };
  for (const type of types)
    if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
      for (const field of byName<Field | GraphQLInputField>(Object.values(type.getFields()))) {
        const at = anchorOfField(type.name, field.name);
        use(field.type, at);
        if ('args' in field) for (const argument of field.args) use(argument.type, at);
      }
  return uses;
}

/**
 * Returns a link as HTML.
 * @param to anchor of this page, or a path
 */
const link = (to: string, text: string): string =>
  `<a href="${to.startsWith('/') ? '' : '#'}${escape(to)}">${escape(text)}</a>`;
const linkOf = ({ name }: { name: string }): string => link(name, name);
const nameOf = (owner: string, { name }: { name: string }): string => link(anchorOfField(owner, name), name);

/** Returns the type in SDL syntax, with a link to the named type. */
function typeText(type: GraphQLType): string {
  if (isNonNullType(type)) return `${typeText(type.ofType)}!`;
  if (isListType(type)) return `[${typeText(type.ofType)}]`;
  return linkOf(type);
}

/** Returns the type and default value of an argument or input field. */
function given({ type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const node = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return `: ${typeText(type)}${node ? ` = ${escape(print(node))}` : ''}`;
}

/** Returns the error messages for invalid values of an input field. */
function ruleTexts(typeName: string, property: string): string {
  const inputClass = inputClassOf(typeName);
  const messages = inputClass ? rulesOf(inputClass).filter((rule) => rule.property === property) : [];
  return messages.length > 0 ? `<p class="facts">${messages.map(({ message }) => escape(message)).join(' ')}</p>` : '';
}

type Described = { description?: string | null | undefined; deprecationReason?: string | null | undefined };
const obsolete = ({ deprecationReason }: Described): string =>
  deprecationReason ? ` <strong>Deprecated:</strong> ${inlineCode(deprecationReason)}` : '';
const described = (one: Described): string =>
  one.description || one.deprecationReason ? `<p>${inlineCode(one.description ?? '')}${obsolete(one)}</p>` : '';
const fact = (term: string, facts: readonly string[]): string[] =>
  facts.length > 0 ? [`<strong>${term}</strong> ${facts.join(', ')}`] : [];
const entry = (id: string, name: string, parts: readonly string[]): string =>
  `<div id="${id}"><dt><code>${name}</code></dt><dd>${parts.join('')}</dd></div>`;
const list = (entries: readonly string[]): string => `<dl class="fields">${entries.join('\n')}</dl>`;
