import type { ReactNode } from 'react';

/** What staff may do to an order, by its `actions`: the place for it in the drawer. */
export function OrderActions(_: { orderId: string; reload: () => void }): ReactNode {
  return null;
}
