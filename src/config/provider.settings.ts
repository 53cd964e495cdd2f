import { credential, text, urlOrNone } from './kinds.js';
import { setting, type Values } from './setting.js';

/** Connection settings of each provider, by short name. */
export const providerSettings = {
  roundpay: {
    url: setting('PROVIDER_ROUNDPAY_URL', urlOrNone, '').about('RoundPay recharge URL.'),
    statusUrl: setting('PROVIDER_ROUNDPAY_STATUS_URL', urlOrNone, (of) => of('PROVIDER_ROUNDPAY_URL')).about(
      'RoundPay status check URL.',
    ),
    userId: setting('PROVIDER_ROUNDPAY_USER_ID', text, '').about('RoundPay user ID.'),
    token: setting('PROVIDER_ROUNDPAY_TOKEN', credential, '').about('RoundPay token.'),
  },
  mokshiq: {
    url: setting('PROVIDER_MOKSHIQ_URL', urlOrNone, '').about('Mokshiq recharge URL.'),
    token: setting('PROVIDER_MOKSHIQ_TOKEN', credential, '').about('Mokshiq token.'),
    origin: setting('PROVIDER_MOKSHIQ_ORIGIN', text, '').about('Origin registered with Mokshiq.'),
    pin: setting('PROVIDER_MOKSHIQ_PIN', credential, '').about('Mokshiq transaction PIN.'),
  },
  ekychub: {
    url: setting('PROVIDER_EKYCHUB_URL', urlOrNone, '').about('eKYC Hub URL for operator and plan lookups.'),
    username: setting('PROVIDER_EKYCHUB_USERNAME', text, '').about('eKYC Hub username.'),
    token: setting('PROVIDER_EKYCHUB_TOKEN', credential, '').about('eKYC Hub token.'),
  },
  inspay: {
    url: setting('PROVIDER_INSPAY_URL', urlOrNone, '').about('InsPay URL for card bills.'),
    username: setting('PROVIDER_INSPAY_USERNAME', text, '').about('InsPay username.'),
    token: setting('PROVIDER_INSPAY_TOKEN', credential, '').about('InsPay token.'),
  },
  banksathi: {
    url: setting('PROVIDER_BANKSATHI_URL', urlOrNone, '').about('BankSathi URL for leads and products.'),
    apiKey: setting('PROVIDER_BANKSATHI_API_KEY', credential, '').about('BankSathi API key.'),
    iv: setting('PROVIDER_BANKSATHI_IV', credential, '').about('BankSathi initialization vector for encrypted values.'),
  },
};

export type ProviderSettings = Values<typeof providerSettings>;
export type ShortName = keyof ProviderSettings;

/** Names in settings, paths and metrics. */
export const shortNames = Object.keys(providerSettings) as ShortName[];
/** Providers that receive real payments. */
export const paidShortNames = ['roundpay', 'mokshiq', 'inspay'] as const satisfies readonly ShortName[];
