import type { ErrorCode } from '../../src/core/error-catalogue.js';

/** Operation of an OpenAPI document with its callable path and possible failures. */
export interface Operation {
  method: string;
  path: string;
  hasBody: boolean;
  /** Whether the body or the query has a required field. */
  isDemanding: boolean;
  codes: ErrorCode[];
}

const resolved = (document: any, { $ref, ...own }: any): any =>
  $ref
    ? ($ref as string)
        .split('/')
        .slice(1)
        .reduce((part, key) => part[key], document)
    : own;

export function operationsOf(document: any): Operation[] {
  return Object.entries<any>(document.paths).flatMap(([template, methods]) =>
    Object.entries<any>(methods).map(([method, { responses, requestBody, parameters = [] }]) => ({
      method: method.toUpperCase(),
      path: template.replaceAll(/\{\w+\}/g, 'x'),
      hasBody: method !== 'get',
      isDemanding:
        (requestBody && resolved(document, requestBody.content['application/json'].schema).required !== undefined) ||
        parameters.some(
          (parameter: { in: string; required?: boolean }) => parameter.in === 'query' && parameter.required === true,
        ),
      codes: Object.entries<any>(responses)
        .filter(([status]) => status !== '200')
        .flatMap(([, response]) => {
          const { examples } = resolved(document, response).content['application/json'];
          return Object.keys(examples) as ErrorCode[];
        }),
    })),
  );
}
