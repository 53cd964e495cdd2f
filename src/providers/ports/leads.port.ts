import type { Paise } from '../../core/money.js';
import type { Caller } from '../calls.js';
import type { Outcome } from '../outcome.js';

export interface LeadProfile {
  firstName: string;
  lastName: string;
  mobileNo: string;
  email: string;
  /** ISO calendar date. */
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
  /** The provider's id of an existing customer. */
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
 * A provider of financial-product leads (interface.md 4.10 to 4.15). `leadStatus` passes the provider's status word on as it is,
 * lower-cased; the caller decides what a word outside the six means. A profile refused by the provider is `declined`, with a
 * word of `leadRefusals` as the `providerCode` of its evidence where the text is a documented one; the text may echo a PAN and is
 * never handed on.
 */
export interface LeadsPort<Name extends string = string> {
  readonly provider: Name;
  readonly available: boolean;
  /** Any well-formed id of a customer or lead gets a sample: none has to be the caller's. */
  readonly answersForAnyId: boolean;
  upsertProfile(profile: LeadProfile, caller?: Caller): Promise<Outcome<LeadProfileReceipt>>;
  createLead(lead: {
    productId: string;
    customerId: string;
    categoryId?: number;
    requiredAmountPaise?: Paise;
  }): Promise<Outcome<{ leadCode: string; campaignUrl: string }>>;
  leadStatus(leadCode: string): Promise<Outcome<{ leadCode: string; leadStatus: string }>>;
  /** Only where the status follows from what is stored: the next one, of a lead that was created there. */
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
