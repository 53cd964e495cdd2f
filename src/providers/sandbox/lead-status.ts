import { leadEnds } from '../../core/magic-numbers.js';

/**
 * Returns the next status of a lead created in UAT: pending → submitted → approved, one step per status call. A lead for product
 * `99901` ends as rejected, one for `99902` as failed. A final status does not change. The sandbox stores nothing, so the caller
 * passes the stored status.
 * @param lead `status`: the stored status; null if none was returned yet
 */
export function sandboxLeadStatus({ productId, status }: { productId: string; status: string | null }): string {
  switch (status) {
    case 'pending':
      return 'submitted';
    case 'submitted':
      return leadEnds[productId] ?? 'approved';
    case 'approved':
    case 'success':
    case 'rejected':
    case 'failed':
      return status;
    case null:
    default:
      return 'pending';
  }
}
