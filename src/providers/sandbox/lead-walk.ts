import { leadEnds } from '../../core/magic-numbers.js';

/**
 * The status that a lead created in UAT shows next: pending → submitted → approved, one step per status call; product `99901`
 * ends rejected, `99902` failed. An end stays. The sandbox keeps nothing, so the caller passes what it stored.
 *
 * @param lead `status`: the stored one; null when none was ever returned
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
