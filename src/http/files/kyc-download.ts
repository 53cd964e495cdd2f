import { sessionOf } from '../../core/context.js';
import { errorBeforeInput } from '../../graphql/schema/access.js';
import type { RateLimits } from '../../graphql/schema/limits.js';
import { hasRole, type PolicyRow } from '../../graphql/schema/policy.js';
import { KYC_DOCUMENT_PATH, type KycLinks } from '../../onboarding/kyc-link.js';
import type { KycReviewService } from '../../onboarding/kyc-review.service.js';
import type { Download } from './download.js';

/**
 * Policy of the download. Reviewers have access to all documents. The account has access to its own files. Documents can show a
 * full PAN, so they have a separate rate limit.
 */
const ROW: PolicyRow = { access: hasRole('admin', 'reviewer'), endpoint: 'kyc-documents', stepUp: true };

/**
 * `GET /kyc-documents/{id}?developer&expires&signature` of the console. Returns a KYC document. The file is untrusted, so
 * browsers must not display it, run it or guess its type.
 */
export function kycDownload(
  { reviews, links }: { reviews: KycReviewService; links: KycLinks },
  limits: RateLimits,
): Download {
  return {
    path: `${KYC_DOCUMENT_PATH}/:id`,
    fields: {
      developer: { to: 'developer', kind: 'text' },
      expires: { to: 'expires', kind: 'text' },
      signature: { to: 'signature', kind: 'text' },
    },
    async open({ values }, context, params) {
      const { userId } = sessionOf(context);
      const rejection = await errorBeforeInput([{ row: ROW, args: {} }], context, limits);
      if (rejection) throw rejection;
      const key = links.keyOf(userId, params.id, values);
      const by = { actor: `user:${userId}`, requestId: context.requestId, address: context.addressKey };
      const { fileName, contentType, content } = await reviews.download(key, by);
      return {
        headers: {
          'content-type': contentType,
          'content-disposition': attachment(fileName),
          'cache-control': 'no-store',
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
        },
        body: content,
      };
    },
  };
}

/**
 * Returns the Content-Disposition header (RFC 6266): a plain ASCII name for old clients, and the full name in RFC 5987 encoding.
 */
function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9 ()_.-]/g, '_');
  const encoded = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
