import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import type { DeveloperId, UserId } from '../../core/principal.js';
import { developerIdOf, recordId } from '../../graphql-toolkit/node.js';
import { mailing } from '../../mails/mailing.js';
import type { Mails } from '../../mails/mails.room.js';
import type { Decided, Decider, Deciding } from '../../proposals/proposal.service.js';
import type { RechargeProvider } from '../../providers/registry.js';
import type { ProviderSwitch } from '../../providers/switches.js';
import type { AccountChanged } from '../account.changes.js';
import type { NewRole } from '../people/user.service.js';
import type { AccountActions } from './account.decisions.js';
import type { DeveloperService } from './developer.service.js';
import type { DeveloperVerb, InputOf } from './developer.verbs.js';

interface Parts {
  orm: MikroORM;
  deciding: Deciding;
  actions: AccountActions;
  developers: DeveloperService;
  twoPeople: Config['twoPeople'];
  mails: Pick<Mails, 'ready' | 'wake'>;
}

type Answer = Decided<AccountChanged>;
type OwnWay = { [Name in DeveloperVerb]?: (input: InputOf<Name>, by: Decider) => Promise<Answer> };

/** What people on the console change of an account: at once, or by two where TWO_PEOPLE says so. */
export class AccountDeciding {
  constructor(private readonly parts: Parts) {}

  readonly #own: OwnWay = {
    unlockProduction: ({ developerId }, by) =>
      this.#decide('developer.unlock_production', { developerId: developerIdOf(developerId) }, by),
    setServiceAccess: ({ developerId, ...grant }, by) =>
      this.#decide('service_access.set', { developerId: developerIdOf(developerId), grants: [grant] }, by),
    moveToWhiteLabel: ({ developerId, whiteLabelId }, by) => {
      const label = recordId(whiteLabelId, 'wlb', 'white label');
      return this.#decide(
        'developer.set_white_label',
        { developerId: developerIdOf(developerId), whiteLabelId: label },
        by,
      );
    },
    removeFromWhiteLabel: ({ developerId }, by) =>
      this.#decide('developer.set_white_label', { developerId: developerIdOf(developerId), whiteLabelId: null }, by),
    approveDeveloper: (input, by) => this.#approve(input, by),
  };

  /** Errors: those of the verb and of proposals. */
  async change<Name extends DeveloperVerb>(name: Name, input: InputOf<Name>, by: Decider): Promise<Answer> {
    const own = this.#own[name] as ((input: InputOf<Name>, by: Decider) => Promise<Answer>) | undefined;
    if (own) return own(input, by);
    await this.parts.developers.change(name, input, by);
    return { replayed: false };
  }

  assignToDeveloper(developerId: DeveloperId, provider: RechargeProvider, by: Decider): Promise<Answer> {
    return this.#decide('developer.assign_provider', { developerId, provider }, by);
  }

  /** With all its developers. */
  assignToLabel(whiteLabelId: string, provider: RechargeProvider, by: Decider): Promise<Answer> {
    return this.#decide('white_label.assign_provider', { whiteLabelId, provider }, by);
  }

  /** Off at once; on again, too, where TWO_PEOPLE does not say otherwise. */
  switchProvider(command: ProviderSwitch, by: Decider): Promise<Answer> {
    return this.#decide('provider.set_availability', command, by);
  }

  /** Another role of a user. */
  setRole(userId: UserId, next: NewRole, by: Decider): Promise<Answer> {
    return this.#decide('user.set_role', { userId, next }, by);
  }

  /** Approves at once, with the services whose fees need nobody else; the others are one proposal. */
  #approve({ services = [], ...input }: InputOf<'approveDeveloper'>, by: Decider): Promise<Answer> {
    const { developers, deciding, actions, twoPeople } = this.parts;
    const { of, feeAbovePaise } = twoPeople;
    const high = services.filter(({ fee = 0n }) => of.has('fees') && fee > feeAbovePaise);
    return mailing(this.parts, async (tx) => {
      const usual = services.filter((grant) => !high.includes(grant));
      await developers.change('approveDeveloper', { ...input, services: usual }, by, { tx });
      if (high.length === 0) return { replayed: false };
      const grants = high.map((grant) => ({ ...grant, enabled: true }));
      const command = { developerId: developerIdOf(input.developerId), grants };
      return deciding.decide(actions['service_access.set'], command, by, tx);
    });
  }

  #decide<Name extends keyof AccountActions>(
    name: Name,
    command: Parameters<AccountActions[Name]['lock']>[0],
    by: Decider,
  ): Promise<Answer> {
    const { deciding, actions } = this.parts;
    return mailing(this.parts, (tx) => deciding.decide(actions[name] as never, command, by, tx));
  }
}
