import type { Failure } from './failure.js';
import { sizeText } from './format.js';
import { words } from './words.js';

const TYPES: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png'];
/** Accepted types, for the file dialog. */
export const ACCEPTED = TYPES.join();
const MAX_BYTES = 5 * 1024 * 1024;

/** Returns a problem with a file that can be detected before the upload. */
export function fileProblem({ size, type }: File): Failure | undefined {
  const t = words.onboarding;
  const message = !TYPES.includes(type)
    ? t.wrongType
    : size === 0
      ? t.emptyFile
      : size > MAX_BYTES
        ? t.tooLarge(sizeText(size))
        : undefined;
  return message === undefined ? undefined : { code: 'VALIDATION_FAILED', message, requestId: undefined, fields: {} };
}

interface ErrorResponse {
  code?: string;
  message?: string;
  request_id?: string;
  errors?: Record<string, string[]>;
}

/**
 * Uploads a KYC document. Uses XMLHttpRequest because fetch does not report upload progress. Authenticated by the session cookie.
 *
 * @param onProgress receives the uploaded fraction, from 0 to 1
 */
export function uploadDocument(
  file: File,
  kind: string,
  onProgress: (part: number) => void,
): Promise<Failure | undefined> {
  const form = new FormData();
  form.append('kind', kind);
  form.append('file', file);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/kyc/documents');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('loadend', () =>
      resolve(request.status === 201 ? undefined : failureOf(request.response as ErrorResponse | null)),
    );
    request.send(form);
  });
}

function failureOf(error: ErrorResponse | null): Failure {
  const { code = 'UNREACHABLE', message, request_id: requestId, errors = {} } = error ?? {};
  const [problem] = Object.values(errors).flat();
  return { code, message: problem ?? message ?? words.failure.unreachable, requestId, fields: {} };
}
