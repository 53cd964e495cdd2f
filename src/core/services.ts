/**
 * Services that an admin enables per developer. The names are those of interface.md 5.4, and `auth/me` returns them as
 * permissions. Each row is a service in GraphQL, the console and the documentation. The policy defines the fields that require
 * it.
 */
export const aboutServices = {
  credit_card_fetch: 'Credit card bill fetch.',
  operator_fetch: 'Mobile operator lookup.',
  operator_plan_fetch: 'Mobile plan fetch.',
  dth_plan_fetch: 'DTH plan fetch.',
  dth_info: 'DTH customer info.',
  lead_generation: 'Profiles, leads, lead status, products and categories.',
} as const;
export type Service = keyof typeof aboutServices;
export const services = Object.keys(aboutServices) as Service[];

export const serviceNames: Readonly<Record<Service, string>> = {
  operator_fetch: 'Operator find',
  operator_plan_fetch: 'Mobile plans',
  dth_plan_fetch: 'DTH plans',
  dth_info: 'DTH customer',
  credit_card_fetch: 'Card bill fetch',
  lead_generation: 'Leads',
};
