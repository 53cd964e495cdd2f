import type { MikroORM } from '@mikro-orm/postgresql';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Mails } from './mails.room.js';

/** A transaction that may queue mails: they are sent after its commit, and not at all without it. */
export async function mailing<T>(
  { orm, mails }: { orm: MikroORM; mails: Pick<Mails, 'ready' | 'wake'> },
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  await mails.ready();
  const result = await inTransaction(orm, work);
  mails.wake();
  return result;
}
