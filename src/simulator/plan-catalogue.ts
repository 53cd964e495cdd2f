import type { Circle } from '../core/circles.js';
import { decimalText, paise } from '../core/money.js';
import type { Operator } from '../core/operators.js';
import { pick } from './fingerprint.js';

/** A plan as EkycHub words it. */
export interface PlanRow {
  rs: number | string;
  validity: string;
  desc: string;
  Type?: string;
}

export type PlanData = Record<string, PlanRow[] | null>;

const topUps = [10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000];
const fullTalkTimes = [110, 220, 330, 440, 550, 1100];

/** GB, and days; 0 days: as long as the pack it is added to. */
const dataSizes = [1, 2, 3, 6, 12, 50] as const;
const dataTerms = [0, 1, 7] as const;
/** Days, and GB a day; 0 GB: calls only. */
const specialTerms = [14, 28, 56, 84, 168, 364] as const;
const specialSizes = [0, 1, 1.5, 2, 2.5, 3, 4] as const;

const rateCutters = [
  [15, '28 Days', 'Local and STD calls at 30p per minute'],
  [39, '14 Days', 'Rs. 39 Talktime, calls at 2.5p per second'],
  [65, '28 Days', 'Half Talktime and calls at 1p per second'],
] as const;

const comboPacks = ['Family', 'Sports', 'Hindi Value', 'Kids', 'Premium HD', 'Regional South', 'Movies'] as const;
const comboTerms = [
  ['30 Days', 1],
  ['90 Days', 3],
  ['180 Days', 6],
  ['365 Days', 11],
] as const;
const addOns = [
  'Movies HD',
  'Sports HD',
  'Kids',
  'Knowledge',
  'Music',
  'English News',
  'Hindi News',
  'Bangla',
  'Marathi',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Gujarati',
  'Odia',
  'Punjabi',
  'Devotional',
  'Lifestyle',
  'World Cinema',
  'Mini Theatre',
] as const;

/** Prices differ a little between operators and circles, as they do. */
const priceStep = (operator: Operator, place: string): number => pick('price', `${operator.id} ${place}`, 5);

/** What a top-up leaves to talk: 18 % tax and a fee are taken off, so that ₹10 buy ₹7.47. */
function talkTime(rupees: number): string {
  const afterTaxPaise = Math.floor((rupees * 100 * 100) / 118);
  const feePaise = Math.min(3, Math.ceil(rupees / 10)) * 100;
  return `Rs. ${decimalText(paise(afterTaxPaise - feePaise))} Talktime`;
}

const days = (count: number): string => (count === 0 ? 'Existing validity' : `${count} Day${count === 1 ? '' : 's'}`);
const dailyData = (gigabytes: number): string => (gigabytes === 0 ? 'no data' : `${gigabytes}GB/day`);

/** About eighty prepaid plans of an operator in a circle. SMS packs are sold nowhere: the group is null, as the provider has it. */
export function mobilePlans(operator: Operator, circle: Circle): PlanData {
  const step = priceStep(operator, circle.code);
  return {
    TOPUP: topUps.map((rs) => ({ rs, validity: 'NA', desc: talkTime(rs), Type: 'talktime' })),
    FULLTT: fullTalkTimes.map((rs) => ({
      rs,
      validity: 'NA',
      desc: `Full Talktime of Rs. ${rs} in ${circle.name}`,
      Type: 'fulltt',
    })),
    DATA: dataSizes.flatMap((gigabytes) =>
      dataTerms.map((count) => ({
        rs: 11 * gigabytes + 8 * count + step,
        validity: days(count),
        desc: `${gigabytes}GB high speed data, then up to 64 Kbps`,
        Type: 'data',
      })),
    ),
    STV: specialTerms.flatMap((count) =>
      specialSizes.map((gigabytes) => ({
        rs: (99 + 28 * gigabytes) * (count / 14) + step,
        validity: days(count),
        desc: `Unlimited local, STD and roaming calls, ${dailyData(gigabytes)}, 100 SMS/day. ${circle.name} only`,
        Type: 'stv',
      })),
    ),
    'RATE CUTTER': rateCutters.map(([rs, validity, desc]) => ({ rs, validity, desc, Type: 'ratecutter' })),
    SMS: null,
  };
}

/** About fifty packs of a DTH operator. */
export function dthPlans(operator: Operator): PlanData {
  const step = priceStep(operator, 'India');
  return {
    Combo: comboPacks.flatMap((pack, index) =>
      comboTerms.map(([validity, months]) => ({
        rs: (199 + index * 50 + step) * months,
        validity,
        desc: `${operator.name} ${pack} pack, ${80 + index * 15} channels with free to air channels`,
        Type: 'combo',
      })),
    ),
    AddOn: addOns.map((pack, index) => ({
      rs: 20 + index * 5 + step,
      validity: '30 Days',
      desc: `${pack} add-on, ${2 + (index % 7)} channels`,
      Type: 'addon',
    })),
  };
}
