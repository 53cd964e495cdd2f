import type { Role, TeamRole } from '../../core/principal.js';
import type { EntityManager } from '../../db/orm.js';
import { DeveloperEntity, type UserRow } from '../account.entities.js';

type FactorRequirement = 'required' | 'optional';

/** User properties that determine whether a second factor is required. */
export interface FactorPolicyUser {
  role: Role;
  teamRole: TeamRole | undefined;
  /** Whether the account of a developer's user has Production access. */
  productionUnlocked: boolean;
}

/** Rules for who must have a second factor: staff, and owners of accounts with Production access, depending on the settings. */
export class FactorRequirements {
  constructor(private readonly settings: Readonly<Record<'staff' | 'owners', FactorRequirement>>) {}

  isFor({ role, teamRole, productionUnlocked }: FactorPolicyUser): boolean {
    const { staff, owners } = this.settings;
    return role === 'developer'
      ? teamRole === 'owner' && productionUnlocked && owners === 'required'
      : staff === 'required';
  }

  async isForUser({ role, teamRole, developerId }: UserRow, em: EntityManager): Promise<boolean> {
    const account = developerId ? await em.findOneOrFail(DeveloperEntity, { id: developerId }) : undefined;
    return this.isFor({
      role,
      teamRole: teamRole ?? undefined,
      productionUnlocked: account?.productionUnlocked ?? false,
    });
  }
}
