/** Product ids whose leads end badly; every other product's leads are approved. */
const endOfProduct: Readonly<Record<string, 'rejected' | 'failed'>> = { '99901': 'rejected', '99902': 'failed' };

/**
 * The status that a lead created in UAT shows next: pending → submitted → approved, one step per status call; product `99901`
 * ends rejected, `99902` failed. An end stays. The sandbox keeps nothing, so the caller passes what it stored.
 *
 * @param previousStatus the stored status; null when none was ever returned
 */
export function sandboxLeadStatus(productId: string, previousStatus: string | null): string {
  switch (previousStatus) {
    case 'pending':
      return 'submitted';
    case 'submitted':
      return endOfProduct[productId] ?? 'approved';
    case 'approved':
    case 'success':
    case 'rejected':
    case 'failed':
      return previousStatus;
    case null:
    default:
      return 'pending';
  }
}
