/** Totals of archived data: orders with their transfers and events, and postings without an order. */
export interface ArchiveCounts {
  /** Number of orders, and of postings without an order. */
  subjects: number;
  orders: number;
  transfers: number;
  events: number;
  /** Sum of the amounts of all transfers, credits and debits alike. */
  amountPaise: bigint;
}

export const zeroCounts = (): ArchiveCounts => ({ subjects: 0, orders: 0, transfers: 0, events: 0, amountPaise: 0n });

export function countSubject(
  counts: ArchiveCounts,
  subject: { isOrder: boolean; transfers: number; events: number; amountPaise: string | bigint },
): void {
  counts.subjects += 1;
  if (subject.isOrder) counts.orders += 1;
  counts.transfers += subject.transfers;
  counts.events += subject.events;
  counts.amountPaise += BigInt(subject.amountPaise);
}

export const sameCounts = (a: ArchiveCounts, b: ArchiveCounts): boolean =>
  (Object.keys(zeroCounts()) as (keyof ArchiveCounts)[]).every((key) => a[key] === b[key]);
