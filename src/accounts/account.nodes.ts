import { maySeeAccount } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { LoadNode } from '../core/room.js';
import type { DevelopersReader } from './developers/developers.reader.js';
import { maySeeUser, type PeopleReader } from './people/people.reader.js';

/** Users, developers, their keys and white labels by their ids. */
export const accountNodes = (
  developers: DevelopersReader,
  people: PeopleReader,
): Readonly<Record<'User' | 'Developer' | 'Credential' | 'WhiteLabel', LoadNode>> => ({
  async User(key, context) {
    const user = isUuid(key) ? await people.find(key) : undefined;
    return user && maySeeUser(context, user) ? user : undefined;
  },
  async Developer(key, context) {
    return isUuid(key) && maySeeAccount(context, key as DeveloperId) ? developers.find(key as DeveloperId) : undefined;
  },
  async Credential(key, context) {
    const owner = await developers.ownerOfKey(key);
    if (!owner || !maySeeAccount(context, owner)) return undefined;
    return (await developers.credentials(owner)).find(({ clientId }) => clientId === key);
  },
  async WhiteLabel(key, { principal }) {
    if (principal?.kind !== 'session' || principal.role === 'developer') return undefined;
    return (await developers.whiteLabels()).find(({ id }) => id === key);
  },
});
