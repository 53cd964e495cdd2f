import type { Role } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { DeveloperEntity, type UserRow } from '../account.entities.js';

type FactorRequirement = 'required' | 'optional';

/** What decides whether somebody may be without a second factor. */
export interface FactorPolicyUser {
  role: Role;
  /** Of a developer's user: the account has live access. */
  productionUnlocked: boolean;
}

/** Who may not be without a second factor: staff, and owners of accounts with live access, as the settings say. */
export class FactorRequirements {
  constructor(private readonly settings: Readonly<Record<'staff' | 'owners', FactorRequirement>>) {}

  isFor({ role, productionUnlocked }: FactorPolicyUser): boolean {
    const { staff, owners } = this.settings;
    return role === 'developer' ? productionUnlocked && owners === 'required' : staff === 'required';
  }

  async isForUser({ role, developerId }: UserRow, em: EntityManager): Promise<boolean> {
    const account = developerId ? await em.findOneOrFail(DeveloperEntity, { id: developerId }) : undefined;
    return this.isFor({ role, productionUnlocked: account?.productionUnlocked ?? false });
  }
}
