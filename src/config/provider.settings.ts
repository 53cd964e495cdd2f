import { credential, text, urlOrNone } from './kinds.js';
import { setting, type Values } from './setting.js';

/** What each provider needs to be reached, by its short name. */
export const providerSettings = {
  roundpay: {
    url: setting('PROVIDER_ROUNDPAY_URL', urlOrNone, '').about('Where RoundPay takes recharges.'),
    statusUrl: setting('PROVIDER_ROUNDPAY_STATUS_URL', urlOrNone, (of) => of('PROVIDER_ROUNDPAY_URL')).about(
      'Where RoundPay is asked about them.',
    ),
    userId: setting('PROVIDER_ROUNDPAY_USER_ID', text, '').about('Our user id there.'),
    token: setting('PROVIDER_ROUNDPAY_TOKEN', credential, '').about('Our token there.'),
  },
  mokshiq: {
    url: setting('PROVIDER_MOKSHIQ_URL', urlOrNone, '').about('Where Mokshiq takes recharges.'),
    token: setting('PROVIDER_MOKSHIQ_TOKEN', credential, '').about('Our token there.'),
    origin: setting('PROVIDER_MOKSHIQ_ORIGIN', text, '').about('The origin that is registered there.'),
    pin: setting('PROVIDER_MOKSHIQ_PIN', credential, '').about('Our transaction PIN there.'),
  },
  ekychub: {
    url: setting('PROVIDER_EKYCHUB_URL', urlOrNone, '').about('Where eKYC Hub answers lookups of operators and plans.'),
    username: setting('PROVIDER_EKYCHUB_USERNAME', text, '').about('Our user name there.'),
    token: setting('PROVIDER_EKYCHUB_TOKEN', credential, '').about('Our token there.'),
  },
  inspay: {
    url: setting('PROVIDER_INSPAY_URL', urlOrNone, '').about('Where InsPay fetches and pays card bills.'),
    username: setting('PROVIDER_INSPAY_USERNAME', text, '').about('Our user name there.'),
    token: setting('PROVIDER_INSPAY_TOKEN', credential, '').about('Our token there.'),
  },
  banksathi: {
    url: setting('PROVIDER_BANKSATHI_URL', urlOrNone, '').about('Where BankSathi takes leads and lists products.'),
    apiKey: setting('PROVIDER_BANKSATHI_API_KEY', credential, '').about('Our API key there.'),
    iv: setting('PROVIDER_BANKSATHI_IV', credential, '').about(
      'The initialization vector of what is encrypted for it.',
    ),
  },
};

export type ProviderSettings = Values<typeof providerSettings>;
export type ShortName = keyof ProviderSettings;

/** In settings, paths and metrics. */
export const shortNames = Object.keys(providerSettings) as ShortName[];
/** Those that real money is sent to. */
export const paidShortNames = ['roundpay', 'mokshiq', 'inspay'] as const satisfies readonly ShortName[];
