import { type Clock, indianTime } from '../core/clock.js';
import { type Paise, paise } from '../core/money.js';
import { sampleCardholder } from './people.js';
import { sampleInteger } from './values.js';

export interface CardOwner {
  card: string;
  mobile: string;
  opcode: string;
}

/** Returns the seed of the sample data of a card. */
export const seedOf = ({ card, mobile, opcode }: CardOwner): string => `${card}:${mobile}:${opcode}`;

export interface SampleCardBill {
  customerName: string;
  /** Date in the form YYYY-MM-DD. */
  billDate: string;
  billDueDate: string;
  billAmountPaise: Paise;
  minimumDuePaise: Paise;
}

const MS_PER_DAY = 86_400_000;

const daysAfter = (isoDate: string, days: number): string =>
  new Date(Date.parse(isoDate) + days * MS_PER_DAY).toISOString().slice(0, 10);

/**
 * Returns a bill of the current month (IST), dated the 1st and due 18 to 22 days later. Its amount is ₹500 to ₹85,000 with
 * paise.
 */
export function sampleCardBill(owner: CardOwner, clock: Clock): SampleCardBill {
  const seed = seedOf(owner);
  const billDate = `${indianTime(clock.now()).slice(0, 7)}-01`;
  const billAmount = sampleInteger(`bill:${seed}`, 500_01, 85_000_99);
  return {
    customerName: sampleCardholder(`card:${seed}`),
    billDate,
    billDueDate: daysAfter(billDate, sampleInteger(`due:${seed}`, 18, 22)),
    billAmountPaise: paise(billAmount),
    // Issuers require 5 %, in whole rupees, and at least ₹200.
    minimumDuePaise: paise(Math.max(200, Math.ceil(billAmount / 2_000)) * 100),
  };
}
