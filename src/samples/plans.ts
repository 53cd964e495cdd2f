import { circleOfCode } from '../core/circles.js';
import { operatorOfOpcode } from '../core/operators.js';
import { airtelPlans } from './plans/airtel.table.js';
import { bsnlSpecialPlans } from './plans/bsnl-special.table.js';
import { bsnlTopupPlans } from './plans/bsnl-topup.table.js';
import { airtelDthPlans, dishTvPlans, sunDirectPlans, tataPlayPlans, videoconD2hPlans } from './plans/dth.tables.js';
import { jioPlans } from './plans/jio.table.js';
import {
  type DthPlanTable,
  type MobilePlanTable,
  type PlanRow,
  type PlanTable,
  type Region,
  regions,
  typeOfGroup,
} from './plans/plan-table.js';
import { viPlans } from './plans/vi.table.js';

/** Plans of an operator, in groups. */
export interface SamplePlans {
  operator: string;
  groups: { name: string; plans: { price: number; type: string; description: string; validity: string }[] }[];
}

const mobileTables: Readonly<Record<string, MobilePlanTable>> = {
  A: airtelPlans,
  V: viPlans,
  J: jioPlans,
  BT: bsnlTopupPlans,
  BS: bsnlSpecialPlans,
};

const dthTables: Readonly<Record<string, DthPlanTable>> = {
  ATV: airtelDthPlans,
  STV: sunDirectPlans,
  DTV: dishTvPlans,
  TTV: tataPlayPlans,
  VTV: videoconD2hPlans,
};

const everywhere = 'everywhere';
const regionOfCircle = new Map(
  (Object.keys(regions) as Region[]).flatMap((region) => regions[region].map((code) => [code, region] as const)),
);

const mobileCatalogues = new Map(
  Object.entries(mobileTables).flatMap(([opcode, table]) =>
    [everywhere, ...(Object.keys(regions) as Region[])].map(
      (region) => [`${opcode}:${region}`, catalogueOf(opcode, table, region)] as const,
    ),
  ),
);
const dthCatalogues = new Map(
  Object.entries(dthTables).map(([opcode, table]) => [opcode, catalogueOf(opcode, table, everywhere)] as const),
);

/** Freezes a plain value recursively, because samples are created once and shared by all callers. */
function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}

/**
 * Returns the plans of a mobile operator in a circle. They are frozen and shared. Returns undefined for an unlisted code
 * (interface.md 2.12).
 */
export function mobileCatalogue(opcode: string, circleCode: string): SamplePlans | undefined {
  if (!circleOfCode(circleCode)) return undefined;
  return mobileCatalogues.get(`${opcode}:${regionOfCircle.get(circleCode) ?? everywhere}`);
}

/**
 * Returns the packs of a DTH operator. They are frozen and shared. Returns undefined for an unlisted code (interface.md 2.12).
 */
export const dthCatalogue = (opcode: string): SamplePlans | undefined => dthCatalogues.get(opcode);

function catalogueOf(opcode: string, table: PlanTable<keyof typeof typeOfGroup>, region: string): SamplePlans {
  const isAvailable = ([, , , onlyRegion]: PlanRow) => onlyRegion === undefined || onlyRegion === region;
  const groups = (Object.keys(table) as (keyof typeof typeOfGroup)[]).map((name) => ({
    name,
    plans: (table[name] ?? []).filter(isAvailable).map(([price, validity, description]) => ({
      price,
      type: typeOfGroup[name],
      description,
      validity,
    })),
  }));
  return deepFreeze({ operator: operatorOfOpcode(opcode)?.name ?? '', groups });
}
