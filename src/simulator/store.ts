import { Book } from './book.js';
import { Journal } from './journal.js';
import { LeadBook } from './lead-book.js';
import type { ProviderClock } from './provider-clock.js';
import type { SimulatorRecord } from './records.js';
import { Serials } from './serials.js';

export interface Store {
  book: Book;
  leads: LeadBook;
  /** Clears both books. The data in memory is cleared immediately, and the data on disk when it resolves. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the book of an earlier run, or creates one. */
export async function openStore(path: string, clock: ProviderClock): Promise<Store> {
  const serials = new Serials();
  const records: SimulatorRecord[] = [];
  const journal = await Journal.open(path, (record) => records.push(recordOf(record)));
  const book = new Book(journal, serials, clock);
  const leads = new LeadBook(journal, serials);
  for (const record of records) replay(record, book, leads);
  return {
    book,
    leads,
    reset: () => {
      book.clear();
      leads.clear();
      return journal.clear();
    },
    close: () => journal.close(),
  };
}

const kinds: Readonly<Record<SimulatorRecord['kind'], true>> = {
  transaction: true,
  status_check: true,
  reversal: true,
  profile: true,
  lead: true,
  lead_status_call: true,
};

/** Checks only the kind, because the simulator wrote the records itself. */
function recordOf(record: unknown): SimulatorRecord {
  const kind = typeof record === 'object' && record !== null && 'kind' in record ? record.kind : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) throw new Error('the kind of the record is unknown');
  return record as SimulatorRecord;
}

function replay(record: SimulatorRecord, book: Book, leads: LeadBook): void {
  switch (record.kind) {
    case 'transaction':
    case 'status_check':
    case 'reversal':
      return book.replay(record);
    case 'profile':
    case 'lead':
    case 'lead_status_call':
      return leads.replay(record);
  }
}
