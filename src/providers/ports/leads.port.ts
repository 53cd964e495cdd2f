import type { Paise } from '../../core/money.js';
import type { Caller } from '../calls.js';
import type { Outcome } from '../outcome.js';

export interface LeadProfile {
  firstName: string;
  lastName: string;
  mobileNo: string;
  email: string;
  /** Calendar date in ISO 8601 format. */
  dob: string;
  company: number;
  occupation: number;
  monthlySalaryPaise: Paise;
  itrAmountPaise: Paise;
  gender: 'Male' | 'Female' | 'Other';
  pincode: number;
  address: string;
  category: 'Individual' | 'Non-Individual';
  categoryId: number;
  pan: string;
  /** ID of an existing customer at the provider. */
  customerId?: string;
}

export interface LeadProfileReceipt {
  mobileNo: string;
  customerId: string;
  categoryId: number;
  productId: string | null;
}

export interface ProductListing {
  productId: string;
  title: string;
  subTitle: string;
  logo: string;
}

/**
 * Port for leads for financial products (interface.md 4.10 to 4.15). `leadStatus` returns the provider's status word in
 * lowercase; the caller interprets words other than the six documented ones. A profile that the provider declines is `declined`.
 * If the provider's text is documented, `providerCode` of the evidence is a key of `leadRejections`. The text can echo a PAN and is
 * never returned.
 */
export interface LeadsPort<Name extends string = string> {
  readonly provider: Name;
  readonly available: boolean;
  /** Whether sample data is returned for any well-formed customer or lead ID, even if it does not belong to the caller. */
  readonly acceptsAnyId: boolean;
  upsertProfile(profile: LeadProfile, caller?: Caller): Promise<Outcome<LeadProfileReceipt>>;
  createLead(lead: {
    productId: string;
    customerId: string;
    categoryId?: number;
    requiredAmountPaise?: Paise;
  }): Promise<Outcome<{ leadCode: string; campaignUrl: string }>>;
  leadStatus(leadCode: string): Promise<Outcome<{ leadCode: string; leadStatus: string }>>;
  /** Returns the next status of a lead. Exists only for a provider whose lead status depends on stored data. */
  nextStatus?(lead: { productId: string; status: string | null }): string;
  productDetails(query: {
    productId: string;
    customerId: string;
    categoryId?: number;
    cardId?: number;
  }): Promise<Outcome<{ url: string; campaignUrl: string }>>;
  productsByCategory(categoryId: number): Promise<Outcome<ProductListing[]>>;
  productCategories(): Promise<Outcome<{ id: number; title: string }[]>>;
  companies(search: string): Promise<Outcome<{ id: number; name: string }[]>>;
  occupations(): Promise<Outcome<{ id: number; name: string }[]>>;
  pincodes(search: string): Promise<Outcome<{ id: number; name: string }[]>>;
}
