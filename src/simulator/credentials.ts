import { sampleToken } from '../samples/values.js';
import { type ProviderName, providerNames } from './provider-name.js';

/** Credentials for each simulated provider. A service without its own credentials uses the same values. */
export const demoCredentials = {
  roundpay: { userId: 'DEMO-RP-1001', token: 'demo-roundpay-token' },
  mokshiq: { token: 'demo-mokshiq-token', origin: 'https://partner.example', pin: '4321' },
  ekychub: { username: 'demo-ekychub', token: 'demo-ekychub-token' },
  inspay: { username: 'DEMO-IP-1001', token: 'demo-inspay-token' },
  banksathi: { apiKey: 'demo-banksathi-key', iv: 'demo-banksathi-iv' },
} satisfies Record<ProviderName, Record<string, string>>;
export type SimulatorCredentials = typeof demoCredentials;

/**
 * Returns BankSathi's "encrypted" customer ID. There is one per mobile number, in double base64 like the real IDs of the
 * provider.
 */
export const customerIdOf = (mobile: string): string => btoa(sampleToken(`customer:${mobile}`).slice(0, 24));

/** BankSathi customer that exists from the start, for callers with a default customer ID. */
export const demoLeadCustomerId = customerIdOf('9800000001');

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the name of the setting in the service, for example PROVIDER_ROUNDPAY_USER_ID for `userId` of RoundPay. */
const variableOf = (provider: ProviderName, field: string): string =>
  `PROVIDER_${provider.toUpperCase()}_${field.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** Returns the demo credentials. Each can be overridden by its environment variable. */
export const credentialsFrom = (env: Environment): SimulatorCredentials =>
  Object.fromEntries(
    providerNames.map((provider) => [
      provider,
      Object.fromEntries(
        Object.entries(demoCredentials[provider]).map(([field, demo]) => [
          field,
          env[variableOf(provider, field)] || demo,
        ]),
      ),
    ]),
  ) as SimulatorCredentials;

/** Returns the settings of a service that uses a simulator: the URL of each provider and the demo credentials. */
export const providerSettings = (simulatorUrl: string): Record<string, string> =>
  Object.fromEntries(
    providerNames.flatMap((provider) => [
      [variableOf(provider, 'url'), `${simulatorUrl}/${provider}`],
      ...Object.entries(demoCredentials[provider]).map(([field, demo]) => [variableOf(provider, field), demo]),
    ]),
  );
