import type { Cell, Fault, Operation, Point } from './cells.js';

/**
 * Groups of cells that one fault can hit at once. Calls can reach several points side by side, but T2 has only one batcher, so a
 * batch has one of its three points. Sweeper cells need orders that were abandoned earlier.
 */
export type Family = 'answered' | 'resolving' | 'resolved' | 'swept';

export interface Batch {
  fault: Fault;
  family: Family;
  cells: Cell[];
}

const MAX_CELLS = 16;
/** A circuit breaker opens after 20 calls in 10 s if half of them failed, and here most fail. */
const MAX_PER_PROVIDER = 8;

const providerOf: Readonly<Record<Operation, string>> = {
  'recharge ROUNDPAY': 'roundpay',
  'recharge MOKSHIQ': 'mokshiq',
  'bill pay': 'inspay',
  'bill fetch': 'inspay',
  'paid lookup': 'ekychub',
  'lead status': 'banksathi',
};

/** Whether one more cell fits. */
function hasSpace({ cells }: Batch, { operation }: Cell): boolean {
  const same = cells.filter((cell) => providerOf[cell.operation] === providerOf[operation]);
  return cells.length < MAX_CELLS && same.length < MAX_PER_PROVIDER;
}

/** undefined: fits into every batch of calls. */
function familyOf(point: Point): Family | undefined {
  switch (point) {
    case 'before T1':
    case 'after T1':
    case 'before the claim':
    case 'after the claim':
    case 'while sending':
    case 'lead fee':
      return undefined;
    case 'after the response':
      return 'answered';
    case 'inside T2':
      return 'resolving';
    case 'after T2':
      return 'resolved';
    case 'sweeper after lease':
    case 'sweeper after status check':
      return 'swept';
  }
}

/** Packs the cells of one fault into batches. Each cell is in exactly one batch. */
export function batchesOf(fault: Fault, cells: readonly Cell[]): Batch[] {
  const batches: Batch[] = [];
  const place = (cell: Cell, allowed: readonly Family[], fallback: Family): void => {
    const batchWithSpace = batches
      .filter((batch) => allowed.includes(batch.family) && hasSpace(batch, cell))
      .toSorted((a, b) => a.cells.length - b.cells.length)[0];
    if (batchWithSpace) batchWithSpace.cells.push(cell);
    else batches.push({ fault, family: fallback, cells: [cell] });
  };
  const fixed = cells.filter(({ point }) => familyOf(point));
  const free = cells.filter(({ point }) => !familyOf(point));
  for (const cell of fixed) place(cell, [familyOf(cell.point)!], familyOf(cell.point)!);
  for (const cell of free) place(cell, ['answered', 'resolving', 'resolved'], 'answered');
  return batches;
}
