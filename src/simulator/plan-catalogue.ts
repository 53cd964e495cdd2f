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

/** [rupees, GB, days]; 0 days: as long as the pack it is added to. */
const dataPacks = [
  [11, 1, 0],
  [19, 1, 1],
  [22, 1, 1],
  [29, 2, 2],
  [33, 2, 1],
  [49, 6, 1],
  [58, 3, 0],
  [61, 6, 0],
  [77, 5, 7],
  [98, 5, 0],
  [121, 6, 30],
  [148, 15, 30],
  [161, 12, 30],
  [181, 15, 30],
  [219, 20, 30],
  [301, 50, 0],
  [361, 50, 30],
  [451, 50, 90],
] as const;

/** [rupees, days, GB a day]; 0 GB: calls only. */
const specialPacks = [
  [99, 14, 0],
  [127, 14, 1],
  [147, 20, 0.5],
  [155, 20, 1],
  [179, 24, 1],
  [189, 28, 0.1],
  [199, 28, 0.1],
  [209, 21, 1],
  [219, 30, 0.1],
  [239, 24, 1],
  [249, 24, 1],
  [265, 28, 1],
  [279, 45, 0.1],
  [299, 28, 1],
  [319, 30, 1.5],
  [329, 28, 1],
  [349, 28, 1.5],
  [355, 30, 0.8],
  [379, 30, 2],
  [398, 28, 2],
  [409, 28, 2.5],
  [429, 30, 2.5],
  [449, 28, 3],
  [469, 84, 0],
  [509, 84, 0.1],
  [579, 56, 1.5],
  [619, 60, 1.5],
  [649, 56, 2],
  [719, 77, 1.5],
  [799, 84, 1.5],
  [838, 56, 3],
  [859, 84, 1.5],
  [929, 90, 1.5],
  [979, 84, 2],
  [1199, 84, 2.5],
  [1729, 180, 1],
  [1849, 365, 0],
  [2249, 365, 0.1],
  [2999, 365, 2],
  [3599, 365, 2],
] as const;

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
const dailyData = (gigabytes: number): string =>
  gigabytes === 0 ? 'no data' : gigabytes < 1 ? `${gigabytes * 1000}MB/day` : `${gigabytes}GB/day`;

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
    DATA: dataPacks.map(([rs, gigabytes, count]) => ({
      rs: rs + step,
      validity: days(count),
      desc: `${gigabytes}GB high speed data, then up to 64 Kbps`,
      Type: 'data',
    })),
    STV: specialPacks.map(([rs, count, gigabytes]) => ({
      rs: rs + step,
      validity: days(count),
      desc: `Unlimited local, STD and roaming calls, ${dailyData(gigabytes)}, 100 SMS/day. ${circle.name} only`,
      Type: 'stv',
    })),
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
