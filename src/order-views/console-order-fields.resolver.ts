import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import type { EnquiryRegistry } from '../orders/enquiries.js';
import { ProviderEnum } from '../providers/provider.enum.js';
import { Order } from './order.types.js';
import { actionsOf, type OrderAction, OrderActionEnum } from './order-actions.js';

/** What the console alone shows of an order. */
@Resolver(() => Order)
export class ConsoleOrderFieldsResolver {
  readonly #developers: DevelopersReader;
  readonly #enquiries: EnquiryRegistry;

  constructor(developers: DevelopersReader, enquiries: EnquiryRegistry) {
    this.#developers = developers;
    this.#enquiries = enquiries;
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Whose order.' })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: Order): Promise<Developer | null> {
    return (await this.#developers.find(developerId)) ?? null;
  }

  @FieldResolver(() => ProviderEnum, { nullable: true, description: 'Who was asked to perform it.' })
  provider(@Root() { judged }: Order): string | null {
    return judged && Object.hasOwn(ProviderEnum, judged.provider) ? judged.provider : null;
  }

  @FieldResolver(() => [OrderActionEnum], {
    nullable: true,
    description:
      'What its state allows now; who may do it says the role. The mutation decides: money can be short, and a bill paid otherwise.',
  })
  actions(@Root() { judged }: Order): OrderAction[] | null {
    return judged ? actionsOf(judged, this.#enquiries) : null;
  }
}
