import { leadEnds } from '../core/magic-numbers.js';
import { sampleToken } from '../samples/values.js';
import { customerIdOf, demoLeadCustomerId } from './credentials.js';
import type { Journal } from './journal.js';
import type { SimulatorRecord } from './records.js';
import type { Serials } from './serials.js';

interface Customer {
  /** Last two digits of the mobile number. */
  mobileTail: string;
  panFingerprint: string;
}

interface Lead {
  productId: string;
  statusCalls: number;
}

type LeadRecord = Extract<SimulatorRecord, { kind: 'profile' | 'lead' | 'lead_status_call' }>;

/** BankSathi's customers and leads, in memory and in the journal. */
export class LeadBook {
  readonly #customers = new Map<string, Customer>();
  readonly #customerOfPan = new Map<string, string>();
  readonly #leads = new Map<string, Lead>();

  constructor(
    private readonly journal: Journal,
    private readonly serials: Serials,
  ) {}

  isCustomer(customerId: string): boolean {
    return customerId === demoLeadCustomerId || this.#customers.has(customerId);
  }

  /** Returns the last two digits of the mobile number of another customer with this PAN. Returns undefined if there is none. */
  mobileTailOfPan(pan: string, customerId: string): string | undefined {
    const owner = this.#customerOfPan.get(fingerprintOfPan(pan));
    return owner === undefined || owner === customerId ? undefined : this.#customers.get(owner)?.mobileTail;
  }

  /** Creates or updates the customer of a mobile number. A number keeps its customer ID. */
  async upsertCustomer(mobile: string, pan: string): Promise<{ customerId: string; created: boolean }> {
    const customerId = customerIdOf(mobile);
    const created = !this.isCustomer(customerId);
    const record = {
      kind: 'profile',
      customerId,
      mobileTail: mobile.slice(-2),
      panFingerprint: fingerprintOfPan(pan),
    } as const;
    await this.#keep(record);
    return { customerId, created };
  }

  async createLead(productId: string): Promise<string> {
    const serial = this.serials.next();
    const leadCode = `BS-LEAD-${serial}`;
    await this.#keep({ kind: 'lead', leadCode, productId, serial });
    return leadCode;
  }

  /**
   * Counts a status call and returns the status: pending, submitted, then the final status. Returns undefined for an unknown
   * code.
   */
  async nextStatus(leadCode: string): Promise<string | undefined> {
    const lead = this.#leads.get(leadCode);
    if (!lead) return undefined;
    const steps = ['pending', 'submitted', leadEnds[lead.productId] ?? 'approved'];
    if (lead.statusCalls >= steps.length) {
      await this.journal.whenFlushed();
      return steps.at(-1);
    }
    const status = steps[lead.statusCalls];
    await this.#keep({ kind: 'lead_status_call', leadCode });
    return status;
  }

  replay(record: LeadRecord): void {
    switch (record.kind) {
      case 'profile': {
        const { customerId, mobileTail, panFingerprint } = record;
        const earlier = this.#customers.get(customerId);
        if (earlier) this.#customerOfPan.delete(earlier.panFingerprint); // an update can change the PAN
        this.#customers.set(customerId, { mobileTail, panFingerprint });
        this.#customerOfPan.set(panFingerprint, customerId);
        return;
      }
      case 'lead':
        this.serials.markUsed(record.serial);
        this.#leads.set(record.leadCode, { productId: record.productId, statusCalls: 0 });
        return;
      case 'lead_status_call': {
        const lead = this.#leads.get(record.leadCode);
        if (!lead) throw new Error('the lead is not in the book');
        lead.statusCalls += 1;
      }
    }
  }

  /** Clears the data in memory. The caller clears the journal in the same tick. */
  clear(): void {
    this.#customers.clear();
    this.#customerOfPan.clear();
    this.#leads.clear();
  }

  /** Stores a record. It takes effect in memory immediately and resolves when durable. */
  #keep(record: LeadRecord): Promise<void> {
    this.replay(record);
    return this.journal.append(record);
  }
}

const fingerprintOfPan = (pan: string): string => sampleToken(`pan:${pan}`);
