import { fieldError } from '../core/errors.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { inOneLine } from '../graphql-toolkit/rules.js';
import { callerOf, sendFreeCall } from '../providers/calls.js';
import { leadRejectedError } from '../providers/lead-rejections.js';
import type { LeadProfile, LeadProfileReceipt } from '../providers/ports/leads.port.js';
import type { LeadPorts } from './lead.ports.js';
import type { ProfileStore } from './profile.store.js';
import { incomeOf, type UpsertProfileInput } from './profile.types.js';

/** Customers of the lead provider (interface.md 4.10). This is never billed. */
export class ProfileService {
  constructor(
    private readonly ports: LeadPorts,
    private readonly profiles: ProfileStore,
  ) {}

  /**
   * Creates the customer, or updates the one with this mobile number. Throws VALIDATION_FAILED for a customer ID that does not
   * belong to the caller (unless there is sample data), PROVIDER_UNAVAILABLE, PROVIDER_FAILED, LEAD_REFUSED. After an error
   * nothing is stored.
   */
  async upsert(principal: DeveloperPrincipal, input: UpsertProfileInput): Promise<LeadProfileReceipt> {
    const { monthlySalary, itrAmount, customerId: requestedCustomerId, pan, address, mobile, ...rest } = input;
    const port = this.ports[principal.environment];
    const knownCustomerId = await this.profiles.customerIdOf(principal, mobile);
    if (requestedCustomerId !== undefined && !port.acceptsAnyId)
      await this.#requireOwn(principal, requestedCustomerId, mobile, knownCustomerId !== undefined);
    const profile: LeadProfile = {
      ...rest,
      mobileNo: mobile,
      pan: pan.toUpperCase(),
      address: inOneLine(address),
      ...incomeOf({ occupation: rest.occupation, monthlySalary, itrAmount }),
      customerId: requestedCustomerId ?? knownCustomerId,
    };
    const send = () => port.upsertProfile(profile, callerOf(principal, null));
    const receipt = await sendFreeCall(port, send, leadRejectedError);
    await this.profiles.save(principal, { ...profile, customerId: receipt.customerId });
    return receipt;
  }

  /**
   * Requires that the profile belongs to the caller. The number of a customer can change, but not to that of another customer,
   * because one of the two profiles would be overwritten.
   */
  async #requireOwn(
    principal: DeveloperPrincipal,
    customerId: string,
    mobileNo: string,
    isMobileKnown: boolean,
  ): Promise<void> {
    const ownership = await this.profiles.ownershipOf(principal, customerId, mobileNo);
    if (ownership === 'unknown') throw fieldError('input.customerId', 'REFERENCE', 'Unknown customer.');
    if (ownership === 'other_mobile' && isMobileKnown)
      throw fieldError('input.customerId', 'REFERENCE', 'Must be the customer of this mobile number.');
  }
}
