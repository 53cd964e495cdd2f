import {
  type ASTVisitor,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  type OperationDefinitionNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { type Host, hosts, surfaceOf } from '../../core/environment.js';
import { AppError, type DocumentPlace } from '../../core/errors.js';
import { ownTurn } from '../../core/turns.js';
import { placeOf } from '../../graphql-toolkit/document-value.js';
import { policies } from '../schema/policy.js';
import type { DocumentCounter } from './counter.js';
import { schemaFieldOf } from './fields.js';
import type { AskedOperation, Refusals } from './refusals.js';
import { type DocumentSize, measureDocument } from './size.js';
import { bytesOf } from './store.js';

/** So many mistakes are named. */
export const MAX_ERRORS = 20;
/** A message may quote names of the document, which may be of any length. */
const MAX_MESSAGE = 300;

const WRONG_VALUE = 'The value here does not fit its type.';

export interface GivenDocument {
  document: DocumentNode;
  /** Undefined when none was chosen. */
  operation: OperationDefinitionNode | undefined;
  variables: Record<string, unknown>;
}

/** With the operation, where one was chosen. */
const askedIn = ({ operation, ...others }: GivenDocument): AskedOperation | undefined =>
  operation && { ...others, operation };

interface Judgement {
  problems: readonly AppError[];
  /** Some of its values do not fit; the document itself does. */
  onlyValues?: true;
}

const FITS: Judgement = { problems: [] };

interface DocumentCheckParts {
  refusals: Refusals;
  counter: DocumentCounter;
  /** The host answers questions about its schema. */
  introspection: boolean;
}

/** Document validation refused a literal, or an argument or input field is missing. */
const isAboutInput = ({ nodes }: GraphQLError): boolean =>
  nodes?.some(({ kind }) => /Value$|^ObjectField$/.test(kind)) ?? false;

/**
 * Judges the documents of clients, cheapest question first: whether the caller may send more, how large the document is, whether
 * the caller is anybody, and only then whether it is valid, which costs the most.
 */
export class DocumentCheck {
  readonly #rules: readonly ValidationRule[];
  readonly #judged = new WeakMap<DocumentNode, DocumentSize>();

  constructor(private readonly parts: DocumentCheckParts) {
    this.#rules = documentRules(parts.introspection);
  }

  /** What is wrong with a document; nothing when it may run. Errors: AppError, when the caller is refused rather than it. */
  async judge(given: GivenDocument, context: RequestContext): Promise<Judgement> {
    const judged = this.#judged.get(given.document);
    if (judged) await this.#admitStranger(given, context);
    if (judged?.asksForSchema) await this.#admitSchemaQuestion(context);
    if (judged) return FITS;
    context.hold?.(bytesOf(given.document));
    await this.parts.counter.refuseOffender(context);
    const size = measureDocument(given.document);
    const judgement = size.problem ? { problems: [invalid(size.problem)] } : await this.#validate(given, size, context);
    if (judgement.problems.length > 0) await this.parts.counter.countInvalid(context);
    else this.#judged.set(given.document, size);
    return judgement;
  }

  /** A document that does not parse. Errors: RATE_LIMITED. */
  async refuseUnreadable(context: RequestContext): Promise<void> {
    await this.parts.counter.refuseOffender(context);
    await this.parts.counter.countInvalid(context);
  }

  /** A request with the hash of a document. Errors: RATE_LIMITED. */
  async admitHash(context: RequestContext): Promise<void> {
    if (!context.principal) await this.parts.counter.countStranger(context);
  }

  async #validate(given: GivenDocument, size: DocumentSize, context: RequestContext): Promise<Judgement> {
    const { document } = given;
    const asked = askedIn(given);
    const refusal = asked && this.parts.refusals.unauthenticated(asked, context);
    if (refusal) throw refusal;
    await this.#admitStranger(given, context);
    if (size.asksForSchema && !this.parts.introspection)
      return {
        problems: [
          invalid('This host does not answer questions about its schema.', [placeOf(schemaFieldOf(document))]),
        ],
      };
    await ownTurn(context.host, { goesOn: true });
    const errors = validate(this.parts.refusals.schema, document, this.#rules, {
      maxErrors: MAX_ERRORS,
      hideSuggestions: !this.#suggestsNames(context),
    });
    if (errors.length === 0 && size.asksForSchema) await this.#admitSchemaQuestion(context);
    return this.#problemsOf(errors, given, context);
  }

  /** The graph of the console is no public API: an anonymous caller learns no names by misspelling them. */
  #suggestsNames({ host, principal }: RequestContext): boolean {
    return this.parts.introspection && (host !== 'console' || principal !== undefined);
  }

  /** Mistakes of the document and wrong values, together. */
  async #problemsOf(
    errors: readonly GraphQLError[],
    given: GivenDocument,
    context: RequestContext,
  ): Promise<Judgement> {
    const asked = askedIn(given);
    const values = errors.filter(isAboutInput);
    const mistakes = errors
      .filter((error) => !isAboutInput(error))
      .map(({ message, locations }) => invalid(message, locations));
    if (values.length === 0) return { problems: mistakes };
    // literals are judged by the one validator, whose texts do not quote them
    const found = asked && (await this.parts.refusals.ofValues(asked, context, { errors: values }));
    // nothing is wrong with the operation that is asked for: the values stand in another one
    if (!found || found.code === 'INVALID_DOCUMENT')
      return { problems: [...mistakes, ...values.map(({ locations }) => invalid(WRONG_VALUE, locations))] };
    if (mistakes.length === 0) return { problems: [found], onlyValues: true };
    // else it is the caller that is refused, whatever the document says
    return { problems: found.code === 'VALIDATION_FAILED' ? [...mistakes, found] : [found] };
  }

  /**
   * What needs no token is counted for those who have none, also where it is known to be valid: it costs no less to answer. What needs
   * one is refused for that. Errors: RATE_LIMITED.
   */
  async #admitStranger(given: GivenDocument, context: RequestContext): Promise<void> {
    if (context.principal) return;
    const asked = askedIn(given);
    if (asked && this.parts.refusals.unauthenticated(asked, context)) return;
    await this.parts.counter.countStranger(context);
  }

  /** An answer about the schema takes longer than its document lets one expect. Errors: RATE_LIMITED. */
  async #admitSchemaQuestion(context: RequestContext): Promise<void> {
    await this.parts.counter.countSchemaQuestion(context);
    await ownTurn(context.host, { goesOn: true });
  }
}

const invalid = (message: string, locations?: readonly (DocumentPlace | undefined)[]): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message,
    locations,
  });

/** The rules of documents. A host that answers questions about its schema also says which other host serves a field. */
const documentRules = (introspection: boolean): readonly ValidationRule[] =>
  introspection
    ? specifiedRules.map((rule) => (rule === FieldsOnCorrectTypeRule ? FieldsOfHostRule : rule))
    : specifiedRules;

/** The specified rule about unknown fields; of a field that other hosts have it says that instead. */
function FieldsOfHostRule(context: ValidationContext): ASTVisitor {
  const specified = FieldsOnCorrectTypeRule(context) as { Field: (node: unknown) => void };
  return {
    Field(node) {
      const type = context.getParentType()?.name;
      const field = node.name.value;
      const serving = context.getFieldDef() || !type ? undefined : hostsOf(type, field);
      if (!serving) return specified.Field(node);
      const message = `Cannot query field "${field}" on type "${type}": ${served(serving)}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** A field may be called `constructor`. */
function hostsOf(type: string, field: string): readonly Host[] | undefined {
  const serving = hosts.filter((host) => {
    const table = policies[surfaceOf(host)];
    return Object.hasOwn(table, type) && Object.hasOwn(table[type]!, field);
  });
  return serving.length > 0 ? serving : undefined;
}

const served = (by: readonly Host[]): string =>
  by.length === 1 ? `the ${by[0]} host serves it` : `the ${by.join(' and ')} hosts serve it`;
