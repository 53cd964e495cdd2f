export interface Circle {
  /** Code with two or three digits as text, including leading zeros ("06"). */
  code: string;
  name: string;
  /** Name in the spelling of the plan provider. */
  upstream: string;
  /** Name in the spelling of Mokshiq. */
  mokshiq: string;
}

/** Circle codes of interface.md 2.12. The spellings of the providers come from public code. Verify them before going live. */
export const circles: readonly Circle[] = [
  { code: '105', name: 'Jharkhand', upstream: 'JHARKHAND', mokshiq: 'Bihar Jharkhand' },
  { code: '104', name: 'Mizoram', upstream: 'MIZZORAM', mokshiq: 'Mizoram' },
  { code: '103', name: 'Meghalaya', upstream: 'MEGHALAY', mokshiq: 'Meghalaya' },
  { code: '102', name: 'Goa', upstream: 'GOA', mokshiq: 'Goa' },
  { code: '101', name: 'Chhattisgarh', upstream: 'CHHATISGARH', mokshiq: 'Chhattisgarh' },
  { code: '100', name: 'Tripura', upstream: 'TRIPURA', mokshiq: 'Tripura' },
  { code: '99', name: 'Sikkim', upstream: 'SIKKIM', mokshiq: 'Sikkim' },
  { code: '49', name: 'Andhra Pradesh', upstream: 'AP', mokshiq: 'Andhra Pradesh' },
  { code: '95', name: 'Kerala', upstream: 'KERALA', mokshiq: 'Kerala' },
  { code: '94', name: 'Tamil Nadu', upstream: 'TAMIL NADU', mokshiq: 'Tamil Nadu' },
  { code: '40', name: 'Chennai', upstream: 'CHENNAI', mokshiq: 'Chennai' },
  { code: '06', name: 'Karnataka', upstream: 'KARNATAKA', mokshiq: 'Karnataka' },
  { code: '52', name: 'Bihar', upstream: 'BIHAR', mokshiq: 'Bihar Jharkhand' },
  { code: '16', name: 'North East', upstream: 'NESA', mokshiq: 'North East' },
  { code: '56', name: 'Assam', upstream: 'ASSAM', mokshiq: 'Assam' },
  { code: '53', name: 'Orissa', upstream: 'ORISSA', mokshiq: 'Orissa' },
  { code: '51', name: 'West Bengal', upstream: 'West Bengal', mokshiq: 'West Bengal' },
  { code: '31', name: 'Kolkata', upstream: 'KOLKATTA', mokshiq: 'Kolkata' },
  { code: '70', name: 'Rajasthan', upstream: 'RAJASTHAN', mokshiq: 'Rajasthan' },
  { code: '93', name: 'Madhya Pradesh', upstream: 'MP', mokshiq: 'Madhya Pradesh' },
  { code: '98', name: 'Gujarat', upstream: 'GUJARAT', mokshiq: 'Gujarat' },
  { code: '90', name: 'Maharashtra', upstream: 'MAHARASHTRA', mokshiq: 'Maharashtra' },
  { code: '92', name: 'Mumbai', upstream: 'MUMBAI', mokshiq: 'Mumbai' },
  { code: '54', name: 'UP East', upstream: 'UP(East)', mokshiq: 'UP East' },
  { code: '55', name: 'Jammu and Kashmir', upstream: 'J&K', mokshiq: 'Jammu Kashmir' },
  { code: '96', name: 'Haryana', upstream: 'HARYANA', mokshiq: 'Haryana' },
  { code: '03', name: 'Himachal Pradesh', upstream: 'HP', mokshiq: 'Himachal Pradesh' },
  { code: '02', name: 'Punjab', upstream: 'PUNJAB', mokshiq: 'Punjab' },
  { code: '97', name: 'UP West', upstream: 'UP(West)', mokshiq: 'UP West' },
  { code: '10', name: 'Delhi', upstream: 'DELHI', mokshiq: 'Delhi' },
];

/**
 * Normalizes a name to lowercase letters without "and", so that "Bihar and Jharkhand" matches "BIHAR JHARKHAND". Handles "J&K"
 * and "UP(East)".
 */
const fold = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\band\b/g, '')
    .replace(/[^a-z]/g, '');

const byCode = new Map(circles.map((circle) => [circle.code, circle]));
const byName = new Map(
  circles
    .toReversed()
    .flatMap((circle) => [circle.name, circle.upstream, circle.mokshiq].map((name) => [fold(name), circle] as const)),
);

export const circleOfCode = (code: string): Circle | undefined => byCode.get(code);
/** Finds a circle by its code, or by its name in the spelling of any provider. Returns undefined if it is not listed. */
export const circleOf = (text: string): Circle | undefined => byCode.get(text.trim()) ?? byName.get(fold(text));
