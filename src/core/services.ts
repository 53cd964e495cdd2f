/** What an admin enables per developer; the spelling of interface.md 5.4, services, which `auth/me` lists as permissions. */
export const services = [
  'credit_card_fetch',
  'operator_fetch',
  'operator_plan_fetch',
  'dth_plan_fetch',
  'dth_info',
  'lead_generation',
] as const;
export type Service = (typeof services)[number];

export const rechargeProviders = ['ROUNDPAY', 'MOKSHIQ'] as const;
export type RechargeProvider = (typeof rechargeProviders)[number];
