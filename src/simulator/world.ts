import type { Book } from './book.js';
import type { Call } from './call.js';
import type { SimulatorCredentials } from './credentials.js';
import type { LeadBook } from './lead-book.js';
import type { Rejections } from './rejections.js';
import type { Reply } from './reply.js';
import type { Reversals } from './reversals.js';
import type { Scripts } from './scripts.js';
import type { Traffic } from './traffic.js';

/** Dependencies of a simulated provider. */
export interface World {
  book: Book;
  leads: LeadBook;
  scripts: Scripts;
  traffic: Traffic;
  rejections: Rejections;
  reversals: Reversals;
  credentials: SimulatorCredentials;
}

export type Route = (call: Call, world: World) => Reply | Promise<Reply>;

/** Routes of one provider below its prefix, each with its method. */
export type Routes = Readonly<Record<string, { method: 'GET' | 'POST'; handle: Route }>>;
