/** Simulated providers. The name is the path prefix, and is used in the book, the calls log and the control endpoints. */
export const providerNames = ['roundpay', 'mokshiq', 'ekychub', 'inspay', 'banksathi'] as const;
export type ProviderName = (typeof providerNames)[number];

export const isProviderName = (text: unknown): text is ProviderName =>
  (providerNames as readonly unknown[]).includes(text);
