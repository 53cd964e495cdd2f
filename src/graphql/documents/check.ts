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
import type { Refusals, RequestedOperation } from './refusals.js';
import { type DocumentSize, measureDocument } from './size.js';
import { bytesOf } from './store.js';

/** Maximum number of errors reported for a document. */
export const MAX_ERRORS = 20;
/** Maximum length of a message. Messages can quote names of any length from the document. */
const MAX_MESSAGE = 300;

const WRONG_VALUE = 'This value does not match its type.';

export interface GivenDocument {
  document: DocumentNode;
  /** Selected operation, or undefined if none was selected. */
  operation: OperationDefinitionNode | undefined;
  variables: Record<string, unknown>;
}

/** Returns the request with its operation, if one was selected. */
const requestedIn = ({ operation, ...others }: GivenDocument): RequestedOperation | undefined =>
  operation && { ...others, operation };

interface Judgement {
  problems: readonly AppError[];
  /** Set if the document is valid and only values are invalid. */
  onlyValues?: true;
}

const FITS: Judgement = { problems: [] };

interface DocumentCheckParts {
  refusals: Refusals;
  counter: DocumentCounter;
  /** Whether the host allows introspection. */
  introspection: boolean;
}

/** Returns whether the error concerns input: a rejected literal, or a missing argument or input field. */
const isAboutInput = ({ nodes }: GraphQLError): boolean =>
  nodes?.some(({ kind }) => /Value$|^ObjectField$/.test(kind)) ?? false;

/**
 * Checks the documents of clients, starting with the cheapest check: rate limit, document size, authentication, and finally
 * validity, which is the most expensive check.
 */
export class DocumentCheck {
  readonly #rules: readonly ValidationRule[];
  readonly #judged = new WeakMap<DocumentNode, DocumentSize>();

  constructor(private readonly parts: DocumentCheckParts) {
    this.#rules = documentRules(parts.introspection);
  }

  /**
   * Returns the problems of a document. The list is empty if the document can run. Throws AppError if the caller, not the
   * document, is rejected.
   */
  async judge(given: GivenDocument, context: RequestContext): Promise<Judgement> {
    const judged = this.#judged.get(given.document);
    if (judged) await this.#countIfAnonymous(given, context);
    if (judged?.asksForSchema) await this.#admitSchemaQuestion(context);
    if (judged) return FITS;
    context.hold?.(bytesOf(given.document));
    await this.parts.counter.rejectOffender(context);
    const size = measureDocument(given.document);
    const judgement = size.problem ? { problems: [invalid(size.problem)] } : await this.#validate(given, size, context);
    if (judgement.problems.length > 0) await this.parts.counter.countInvalid(context);
    else this.#judged.set(given.document, size);
    return judgement;
  }

  /** Counts a document that cannot be parsed. Throws RATE_LIMITED. */
  async countUnparsable(context: RequestContext): Promise<void> {
    await this.parts.counter.rejectOffender(context);
    await this.parts.counter.countInvalid(context);
  }

  /** Counts a request that contains only the hash of a document. Throws RATE_LIMITED. */
  async admitHash(context: RequestContext): Promise<void> {
    if (!context.principal) await this.parts.counter.countAnonymous(context);
  }

  async #validate(given: GivenDocument, size: DocumentSize, context: RequestContext): Promise<Judgement> {
    const { document } = given;
    const requested = requestedIn(given);
    const refusal = requested && this.parts.refusals.unauthenticated(requested, context);
    if (refusal) throw refusal;
    await this.#countIfAnonymous(given, context);
    if (size.asksForSchema && !this.parts.introspection)
      return {
        problems: [invalid('Introspection is disabled on this host.', [placeOf(schemaFieldOf(document))])],
      };
    await ownTurn(context.host, { isContinued: true });
    const errors = validate(this.parts.refusals.schema, document, this.#rules, {
      maxErrors: MAX_ERRORS,
      hideSuggestions: !this.#suggestsNames(context),
    });
    if (errors.length === 0 && size.asksForSchema) await this.#admitSchemaQuestion(context);
    return this.#problemsOf(errors, given, context);
  }

  /**
   * Returns whether errors may suggest names. The schema of the console is not public, so suggestions must not reveal names to
   * anonymous callers.
   */
  #suggestsNames({ host, principal }: RequestContext): boolean {
    return this.parts.introspection && (host !== 'console' || principal !== undefined);
  }

  /** Reports document errors and invalid values together. */
  async #problemsOf(
    errors: readonly GraphQLError[],
    given: GivenDocument,
    context: RequestContext,
  ): Promise<Judgement> {
    const requested = requestedIn(given);
    const values = errors.filter(isAboutInput);
    const mistakes = errors
      .filter((error) => !isAboutInput(error))
      .map(({ message, locations }) => invalid(message, locations));
    if (values.length === 0) return { problems: mistakes };
    // the input validator checks literals, because its messages do not quote them
    const found = requested && (await this.parts.refusals.ofValues(requested, context, { errors: values }));
    // the requested operation is valid, so the invalid values belong to another operation
    if (!found || found.code === 'INVALID_DOCUMENT')
      return { problems: [...mistakes, ...values.map(({ locations }) => invalid(WRONG_VALUE, locations))] };
    if (mistakes.length === 0) return { problems: [found], onlyValues: true };
    // otherwise the caller is rejected, regardless of the document
    return { problems: found.code === 'VALIDATION_FAILED' ? [...mistakes, found] : [found] };
  }

  /**
   * Counts documents of anonymous callers that require no token, even if they are known to be valid, because the cost of
   * executing them is the same. Documents that require a token are rejected because it is missing. Throws RATE_LIMITED.
   */
  async #countIfAnonymous(given: GivenDocument, context: RequestContext): Promise<void> {
    if (context.principal) return;
    const requested = requestedIn(given);
    if (requested && this.parts.refusals.unauthenticated(requested, context)) return;
    await this.parts.counter.countAnonymous(context);
  }

  /**
   * Counts introspection queries separately, because the response takes longer than the size of the document suggests. Throws
   * RATE_LIMITED.
   */
  async #admitSchemaQuestion(context: RequestContext): Promise<void> {
    await this.parts.counter.countSchemaQuestion(context);
    await ownTurn(context.host, { isContinued: true });
  }
}

const invalid = (message: string, locations?: readonly (DocumentPlace | undefined)[]): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message,
    locations,
  });

/**
 * Returns the validation rules for documents. A host with introspection additionally reports which other host has an unknown
 * field.
 */
const documentRules = (introspection: boolean): readonly ValidationRule[] =>
  introspection
    ? specifiedRules.map((rule) => (rule === FieldsOnCorrectTypeRule ? FieldsOfHostRule : rule))
    : specifiedRules;

/**
 * Checks for unknown fields, as the specification requires. If other hosts have the field, the error lists those hosts instead.
 */
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

/** Returns the hosts that have the field. Inherited properties are excluded, because a field can be called `constructor`. */
function hostsOf(type: string, field: string): readonly Host[] | undefined {
  const serving = hosts.filter((host) => {
    const table = policies[surfaceOf(host)];
    return Object.hasOwn(table, type) && Object.hasOwn(table[type]!, field);
  });
  return serving.length > 0 ? serving : undefined;
}

const served = (by: readonly Host[]): string =>
  by.length === 1 ? `the ${by[0]} host serves it` : `the ${by.join(' and ')} hosts serve it`;
