import type { Failure } from './failure.js';
import { sizeText } from './format.js';
import { words } from './words.js';

const TYPES: readonly string[] = ['application/pdf', 'image/jpeg', 'image/png'];
/** For the dialog that chooses files. */
export const ACCEPTED = TYPES.join();
const MAX_BYTES = 5 * 1024 * 1024;

/** Why a file would be refused, as far as that is known before it is sent. */
export function fileProblem({ size, type }: File): Failure | undefined {
  const said = words.onboarding;
  const message = !TYPES.includes(type)
    ? said.wrongType
    : size === 0
      ? said.emptyFile
      : size > MAX_BYTES
        ? said.tooLarge(sizeText(size))
        : undefined;
  return message === undefined ? undefined : { code: 'VALIDATION_FAILED', message, requestId: undefined, fields: {} };
}

interface Refusal {
  code?: string;
  message?: string;
  request_id?: string;
  errors?: Record<string, string[]>;
}

/**
 * Sends one document of KYC. Only this way of asking says how much has gone; the cookie and the page's own origin let it in.
 *
 * @param onProgress between 0 and 1
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
      resolve(request.status === 201 ? undefined : failureOf(request.response as Refusal | null)),
    );
    request.send(form);
  });
}

function failureOf(refusal: Refusal | null): Failure {
  const { code = 'UNREACHABLE', message, request_id: requestId, errors = {} } = refusal ?? {};
  const [problem] = Object.values(errors).flat();
  return { code, message: problem ?? message ?? words.failure.unreachable, requestId, fields: {} };
}
