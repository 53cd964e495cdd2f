import { ClosingService } from '../../src/accounts/developers/closing.service.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { seed, type TestApp } from './app.js';

/** Closes an account permanently, as the command does. */
export async function closeAccount({ app }: TestApp, id: DeveloperId, reason = 'Requested by letter'): Promise<void> {
  const { orm, audit, users, credentials, mails, webhooks } = app;
  const closing = new ClosingService({ orm, audit, users, credentials, mails, endpoints: webhooks.endpoints });
  const { outcome } = await closing.close(id, reason, seed);
  if (outcome !== 'closed') throw new Error(`the account was not closed: ${outcome}`);
}
