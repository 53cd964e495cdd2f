import { credential, text, urlOrNone } from './kinds.js';
import { setting, type Values } from './setting.js';

/** What each provider needs to be reached, by its short name. */
export const providerSettings = {
  roundpay: {
    url: setting('PROVIDER_ROUNDPAY_URL', urlOrNone, '').about('Recharge URL of RoundPay.'),
    statusUrl: setting('PROVIDER_ROUNDPAY_STATUS_URL', urlOrNone, (of) => of('PROVIDER_ROUNDPAY_URL')).about(
      'Status check URL of RoundPay.',
    ),
    userId: setting('PROVIDER_ROUNDPAY_USER_ID', text, '').about('User ID at RoundPay.'),
    token: setting('PROVIDER_ROUNDPAY_TOKEN', credential, '').about('Token at RoundPay.'),
  },
  mokshiq: {
    url: setting('PROVIDER_MOKSHIQ_URL', urlOrNone, '').about('Recharge URL of Mokshiq.'),
    token: setting('PROVIDER_MOKSHIQ_TOKEN', credential, '').about('Token at Mokshiq.'),
    origin: setting('PROVIDER_MOKSHIQ_ORIGIN', text, '').about('Origin that is registered at Mokshiq.'),
    pin: setting('PROVIDER_MOKSHIQ_PIN', credential, '').about('Transaction PIN at Mokshiq.'),
  },
  ekychub: {
    url: setting('PROVIDER_EKYCHUB_URL', urlOrNone, '').about('URL of eKYC Hub for operator and plan lookups.'),
    username: setting('PROVIDER_EKYCHUB_USERNAME', text, '').about('User name at eKYC Hub.'),
    token: setting('PROVIDER_EKYCHUB_TOKEN', credential, '').about('Token at eKYC Hub.'),
  },
  inspay: {
    url: setting('PROVIDER_INSPAY_URL', urlOrNone, '').about('URL of InsPay for card bills.'),
    username: setting('PROVIDER_INSPAY_USERNAME', text, '').about('User name at InsPay.'),
    token: setting('PROVIDER_INSPAY_TOKEN', credential, '').about('Token at InsPay.'),
  },
  banksathi: {
    url: setting('PROVIDER_BANKSATHI_URL', urlOrNone, '').about('URL of BankSathi for leads and products.'),
    apiKey: setting('PROVIDER_BANKSATHI_API_KEY', credential, '').about('API key at BankSathi.'),
    iv: setting('PROVIDER_BANKSATHI_IV', credential, '').about(
      'Initialization vector for values encrypted for BankSathi.',
    ),
  },
};

export type ProviderSettings = Values<typeof providerSettings>;
export type ShortName = keyof ProviderSettings;

/** In settings, paths and metrics. */
export const shortNames = Object.keys(providerSettings) as ShortName[];
/** Those that real money is sent to. */
export const paidShortNames = ['roundpay', 'mokshiq', 'inspay'] as const satisfies readonly ShortName[];
