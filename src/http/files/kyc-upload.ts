import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { actorOf } from '../../accounts/account.changes.js';
import { ownAccountOf } from '../../core/context.js';
import { errorCatalogue } from '../../core/error-catalogue.js';
import { AppError } from '../../core/errors.js';
import { errorBeforeInput, unauthenticatedForEvery } from '../../graphql/schema/access.js';
import { type RateLimits, rateHeaders } from '../../graphql/schema/limits.js';
import { type PolicyRow, policies } from '../../graphql/schema/policy.js';
import type { KycService, SealedDocument } from '../../onboarding/kyc.service.js';
import { MAX_DOCUMENT_BYTES } from '../../onboarding/kyc-document.js';
import { documentNodeId } from '../../onboarding/kyc-review.types.js';
import { MULTIPART } from '../requests/bodies.js';
import type { SessionCookie } from '../requests/identification.js';
import { type FileFormShape, limitOf, readFileForm, requireFileForm } from './file-form.js';
import { type Upload, Uploads } from './uploads.js';

export const KYC_UPLOAD_PATH = '/kyc/documents';

/** Policy of the upload. Users who can submit KYC can upload its documents, with a separate rate limit. */
const ROW: PolicyRow = { ...policies.console.Mutation!.submitKyc!, endpoint: 'upload-kyc-document' };

/** Interval of the check for slow uploads. */
const SWEEP_MS = 1_000;

const TOO_SLOW = errorCatalogue.REQUEST_TIMEOUT.httpStatus;

const FORM: FileFormShape = { text: 'kind', file: 'file', maxFileBytes: MAX_DOCUMENT_BYTES };

export interface KycUploadParts {
  kyc: KycService;
  limits: RateLimits;
  cookie: SessionCookie;
}

/**
 * `POST /kyc/documents` of the console. Uploads one document as a form. Errors are returned before the body is read, if
 * possible. The body is read into one buffer and stored encrypted in the database.
 */
export function mountKycUpload(
  app: FastifyInstance,
  { kyc, limits, cookie }: KycUploadParts,
  identify: (request: FastifyRequest) => Promise<void>,
): void {
  const uploads = new Uploads();
  const uploadOf = new WeakMap<FastifyRequest, Upload>();
  const sweeping = setInterval(() => uploads.sweep(performance.now()), SWEEP_MS);
  sweeping.unref();
  app.addHook('onClose', async () => clearInterval(sweeping));
  const storing = new WeakMap<FastifyRequest, Promise<unknown>>();

  /**
   * Starts an upload. Throws AppError in the usual order. Errors in the headers and the account state count as validation
   * errors.
   */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { context } = request;
    const stranger = unauthenticatedForEvery([ROW], context);
    if (stranger) throw stranger;
    cookie.requireOrigin(request);
    const refusal = await errorBeforeInput([{ row: ROW, args: {} }], context, limits);
    void reply.headers(rateHeaders(context));
    if (refusal) throw refusal;
    const developerId = ownAccountOf(context);
    requireFileForm(request);
    await kyc.requireRoom(developerId);
    const cut = (error: AppError): void => void reply.header('connection', 'close').send(error);
    const upload = uploads.begin({ accountId: developerId, addressKey: context.addressKey, cut }, performance.now());
    uploadOf.set(request, upload);
    // this is called if the client disconnects as well, but not while its file is being stored
    const give = (): void =>
      void (storing.get(request) ?? Promise.resolve())
        .catch(() => {})
        .then(() => upload.end(performance.now(), reply.raw.writableFinished && reply.statusCode !== TOO_SLOW));
    if (reply.raw.destroyed) give();
    else reply.raw.once('close', give);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(MULTIPART, async (request: FastifyRequest, payload: RequestPayload) => {
      const body = Readable.from(uploadOf.get(request)!.reading(payload as Readable), { objectMode: false });
      const { text: kind, ...sent } = await readFileForm(request, body, FORM);
      // encrypts the file immediately, so that the plaintext is not kept in memory while it is being stored
      return kyc.seal(ownAccountOf(request.context), { kind, ...sent });
    });
    scope.post(
      KYC_UPLOAD_PATH,
      { config: { takesFile: true }, bodyLimit: limitOf(FORM), onRequest: [identify, begin] },
      async (request, reply) => {
        const { context } = request;
        // another upload may already use its slot
        if (reply.raw.destroyed) throw new AppError('REQUEST_TIMEOUT', { message: 'The client has disconnected.' });
        const developerId = ownAccountOf(context);
        const stored = kyc.add(developerId, request.body as SealedDocument, context.addressKey, actorOf(context));
        storing.set(request, stored);
        return reply.code(201).send({ documentId: documentNodeId(developerId, await stored) });
      },
    );
  });
}
