import type { App } from '../../../src/app.js';
import type { Actor } from '../../../src/audit/audit.service.js';
import { FROM_TEST } from '../../support/app.js';
import { serial } from '../attacks/memory-attacks.js';

const PASSWORD = 'a password of who uploads';

/** Sessions of users who have only signed up and confirmed their address, and who can therefore upload documents. */
export async function uploaders(app: App, count: number, actor: Actor): Promise<string[]> {
  const sessions: string[] = [];
  for (let n = 0; n < count; n++) {
    const email = `uploads-${serial()}@users.example`;
    const developerId = await app.developers.register({ name: 'Uploads', email }, actor);
    await app.developers.markEmailVerified(developerId, actor);
    await app.users.create({ email, name: 'Uploads', password: PASSWORD, role: 'developer', developerId }, actor);
    sessions.push((await app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token);
  }
  return sessions;
}
