export type MobileGroup = 'TOPUP' | 'FULLTT' | 'DATA' | 'STV' | 'COMBO' | 'ROAMING' | 'SMS' | 'FRC' | 'JIOPHONE';
export type DthGroup = 'Combo' | 'AddOn';

/** Circles that some plans are limited to; most circles belong to none. */
export type Region = 'metro' | 'northeast' | 'hills' | 'south';

/** Price in rupees, validity, description, and the one region that has the plan (absent: every circle has it). */
export type PlanRow = readonly [price: number, validity: string, description: string, region?: Region];

/** Groups in the order in which they are shown. */
export type PlanTable<Group extends string> = Readonly<Partial<Record<Group, readonly PlanRow[]>>>;

/** TOPUP, DATA and STV are what the interface promises; an operator cannot be without them. */
export type MobilePlanTable = PlanTable<MobileGroup> & Required<Pick<PlanTable<MobileGroup>, 'TOPUP' | 'DATA' | 'STV'>>;
export type DthPlanTable = Required<PlanTable<DthGroup>>;

/** The lower-case kind of a plan (`Type` on the wire). */
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

/** Region → circle codes. */
export const regions: Readonly<Record<Region, readonly string[]>> = {
  metro: ['10', '92', '40', '31'],
  northeast: ['16', '56', '104', '103', '100', '99'],
  hills: ['55', '03'],
  south: ['49', '95', '94', '06'],
};
