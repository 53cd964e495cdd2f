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
import type { OperationErrors, RequestedOperation } from './operation-errors.js';
import { type DocumentSize, measureDocument } from './size.js';
import { bytesOf } from './store.js';

/** Maximum number of errors reported for a document. */
export const MAX_ERRORS = 20;
/** Maximum length of a message. Messages can quote names of any length from the document. */
const MAX_MESSAGE = 300;

const WRONG_VALUE = 'This value does not match its type.';

export interface DocumentRequest {
  document: DocumentNode;
  /** Selected operation, or undefined if none was selected. */
  operation: OperationDefinitionNode | undefined;
  variables: Record<string, unknown>;
}

/** Returns the request with its operation, if one was selected. */
const requestedIn = ({ operation, ...others }: DocumentRequest): RequestedOperation | undefined =>
  operation && { ...others, operation };

interface CheckResult {
  problems: readonly AppError[];
  /** Set if the document is valid and only values are invalid. */
  onlyValues?: true;
}

const VALID: CheckResult = { problems: [] };

interface DocumentCheckParts {
  operationErrors: OperationErrors;
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
  readonly #validSizes = new WeakMap<DocumentNode, DocumentSize>();

  constructor(private readonly parts: DocumentCheckParts) {
    this.#rules = documentRules(parts.introspection);
  }

  /**
   * Returns the problems of a document. The list is empty if the document can run. Throws AppError if the caller, not the
   * document, is rejected.
   */
  async run(request: DocumentRequest, context: RequestContext): Promise<CheckResult> {
    const validSize = this.#validSizes.get(request.document);
    if (validSize) await this.#countIfAnonymous(request, context);
    if (validSize?.usesIntrospection) await this.#admitIntrospection(context);
    if (validSize) return VALID;
    context.hold?.(bytesOf(request.document));
    await this.parts.counter.rejectOffender(context);
    const size = measureDocument(request.document);
    const result = size.problem ? { problems: [invalid(size.problem)] } : await this.#validate(request, size, context);
    if (result.problems.length > 0) await this.parts.counter.countInvalid(context);
    else this.#validSizes.set(request.document, size);
    return result;
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

  async #validate(request: DocumentRequest, size: DocumentSize, context: RequestContext): Promise<CheckResult> {
    const { document } = request;
    const requested = requestedIn(request);
    const rejection = requested && this.parts.operationErrors.unauthenticated(requested, context);
    if (rejection) throw rejection;
    await this.#countIfAnonymous(request, context);
    if (size.usesIntrospection && !this.parts.introspection)
      return {
        problems: [invalid('Introspection is disabled on this host.', [placeOf(schemaFieldOf(document))])],
      };
    await ownTurn(context.host, { isContinued: true });
    const errors = validate(this.parts.operationErrors.schema, document, this.#rules, {
      maxErrors: MAX_ERRORS,
      hideSuggestions: !this.#suggestsNames(context),
    });
    if (errors.length === 0 && size.usesIntrospection) await this.#admitIntrospection(context);
    return this.#problemsOf(errors, request, context);
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
    request: DocumentRequest,
    context: RequestContext,
  ): Promise<CheckResult> {
    const requested = requestedIn(request);
    const values = errors.filter(isAboutInput);
    const documentErrors = errors
      .filter((error) => !isAboutInput(error))
      .map(({ message, locations }) => invalid(message, locations));
    if (values.length === 0) return { problems: documentErrors };
    // the input validator checks literals, because its messages do not quote them
    const inputError =
      requested && (await this.parts.operationErrors.errorOfValues(requested, context, { errors: values }));
    // the requested operation is valid, so the invalid values belong to another operation
    if (!inputError || inputError.code === 'INVALID_DOCUMENT')
      return { problems: [...documentErrors, ...values.map(({ locations }) => invalid(WRONG_VALUE, locations))] };
    if (documentErrors.length === 0) return { problems: [inputError], onlyValues: true };
    // otherwise the caller is rejected, regardless of the document
    return { problems: inputError.code === 'VALIDATION_FAILED' ? [...documentErrors, inputError] : [inputError] };
  }

  /**
   * Counts documents of anonymous callers that require no token, even if they are known to be valid, because the cost of
   * executing them is the same. Documents that require a token are rejected, because the token is missing. Throws RATE_LIMITED.
   */
  async #countIfAnonymous(request: DocumentRequest, context: RequestContext): Promise<void> {
    if (context.principal) return;
    const requested = requestedIn(request);
    if (requested && this.parts.operationErrors.unauthenticated(requested, context)) return;
    await this.parts.counter.countAnonymous(context);
  }

  /**
   * Counts introspection queries separately, because the response takes longer than the size of the document suggests. Throws
   * RATE_LIMITED.
   */
  async #admitIntrospection(context: RequestContext): Promise<void> {
    await this.parts.counter.countIntrospection(context);
    await ownTurn(context.host, { isContinued: true });
  }
}

const invalid = (message: string, locations?: readonly (DocumentPlace | undefined)[]): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message,
    locations,
  });

/**
 * Returns the validation rules for documents. For an unknown field, a host with introspection also names the hosts that have the
 * field.
 */
const documentRules = (introspection: boolean): readonly ValidationRule[] =>
  introspection
    ? specifiedRules.map((rule) => (rule === FieldsOnCorrectTypeRule ? FieldsOfHostRule : rule))
    : specifiedRules;

/**
 * Checks for unknown fields, as the specification requires. If other hosts have the field, the error names those hosts instead of
 * similar fields.
 */
function FieldsOfHostRule(context: ValidationContext): ASTVisitor {
  const specified = FieldsOnCorrectTypeRule(context) as { Field: (node: unknown) => void };
  return {
    Field(node) {
      const type = context.getParentType()?.name;
      const field = node.name.value;
      const servingHosts = context.getFieldDef() || !type ? undefined : hostsOf(type, field);
      if (!servingHosts) return specified.Field(node);
      const message = `Cannot query field "${field}" on type "${type}": ${servingText(servingHosts)}.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** Returns the hosts that have the field. Inherited properties are excluded, because a field can be called `constructor`. */
function hostsOf(type: string, field: string): readonly Host[] | undefined {
  const servingHosts = hosts.filter((host) => {
    const table = policies[surfaceOf(host)];
    return Object.hasOwn(table, type) && Object.hasOwn(table[type]!, field);
  });
  return servingHosts.length > 0 ? servingHosts : undefined;
}

const servingText = (names: readonly Host[]): string =>
  names.length === 1 ? `the ${names[0]} host serves it` : `the ${names.join(' and ')} hosts serve it`;
