export type MobileGroup = 'TOPUP' | 'FULLTT' | 'DATA' | 'STV' | 'COMBO' | 'ROAMING' | 'SMS' | 'FRC' | 'JIOPHONE';
export type DthGroup = 'Combo' | 'AddOn';

/** Groups of circles that some plans are limited to. Most circles are in none of them. */
export type Region = 'metro' | 'northeast' | 'hills' | 'south';

/** Price in rupees, validity, description, and the only region of the plan (omitted if every circle has it). */
export type PlanRow = readonly [price: number, validity: string, description: string, region?: Region];

/** Groups in display order. */
export type PlanTable<Group extends string> = Readonly<Partial<Record<Group, readonly PlanRow[]>>>;

/** TOPUP, DATA and STV are guaranteed by the interface, so every operator must have them. */
export type MobilePlanTable = PlanTable<MobileGroup> & Required<Pick<PlanTable<MobileGroup>, 'TOPUP' | 'DATA' | 'STV'>>;
export type DthPlanTable = Required<PlanTable<DthGroup>>;

/** Kind of a plan in lowercase (`Type` in responses). */
export const typeOfGroup: Readonly<Record<MobileGroup | DthGroup, string>> = {
  TOPUP: 'talktime',
  FULLTT: 'fulltalktime',
  DATA: 'data',
  STV: 'stv',
  COMBO: 'combo',
  ROAMING: 'roaming',
  SMS: 'sms',
  FRC: 'frc',
  JIOPHONE: 'jiophone',
  Combo: 'combo',
  AddOn: 'addon',
};

/** Circle codes by region. */
export const regions: Readonly<Record<Region, readonly string[]>> = {
  metro: ['10', '92', '40', '31'],
  northeast: ['16', '56', '104', '103', '100', '99'],
  hills: ['55', '03'],
  south: ['49', '95', '94', '06'],
};
