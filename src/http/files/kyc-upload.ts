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
  const uploadsByRequest = new WeakMap<FastifyRequest, Upload>();
  const sweepTimer = setInterval(() => uploads.sweep(performance.now()), SWEEP_MS);
  sweepTimer.unref();
  app.addHook('onClose', async () => clearInterval(sweepTimer));
  const pendingStores = new WeakMap<FastifyRequest, Promise<unknown>>();

  /**
   * Starts an upload. Throws AppError in the usual order. Errors in the headers and the account state count as validation
   * errors.
   */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { context } = request;
    const authenticationError = unauthenticatedForEvery([ROW], context);
    if (authenticationError) throw authenticationError;
    cookie.requireOrigin(request);
    const rejection = await errorBeforeInput([{ row: ROW, args: {} }], context, limits);
    void reply.headers(rateHeaders(context));
    if (rejection) throw rejection;
    const developerId = ownAccountOf(context);
    requireFileForm(request);
    await kyc.requireCapacity(developerId);
    const abort = (error: AppError): void => void reply.header('connection', 'close').send(error);
    const upload = uploads.begin({ accountId: developerId, addressKey: context.addressKey, abort }, performance.now());
    uploadsByRequest.set(request, upload);
    // this is called if the client disconnects as well, but not while its file is being stored
    const endUpload = (): void =>
      void (pendingStores.get(request) ?? Promise.resolve())
        .catch(() => {})
        .then(() => upload.end(performance.now(), reply.raw.writableFinished && reply.statusCode !== TOO_SLOW));
    if (reply.raw.destroyed) endUpload();
    else reply.raw.once('close', endUpload);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(MULTIPART, async (request: FastifyRequest, payload: RequestPayload) => {
      const body = Readable.from(uploadsByRequest.get(request)!.countBytes(payload as Readable), { objectMode: false });
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
        const pendingId = kyc.add(developerId, request.body as SealedDocument, context.addressKey, actorOf(context));
        pendingStores.set(request, pendingId);
        return reply.code(201).send({ documentId: documentNodeId(developerId, await pendingId) });
      },
    );
  });
}
