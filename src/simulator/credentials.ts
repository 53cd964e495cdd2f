import { sampleToken } from '../samples/values.js';
import { type ProviderName, providerNames } from './provider-name.js';

/** What callers must present to each simulated provider; a service that has no credentials of its own uses the same ones. */
export const demoCredentials = {
  roundpay: { userId: 'DEMO-RP-1001', token: 'demo-roundpay-token' },
  mokshiq: { token: 'demo-mokshiq-token', origin: 'https://partner.example', pin: '4321' },
  ekychub: { username: 'demo-ekychub', token: 'demo-ekychub-token' },
  inspay: { username: 'DEMO-IP-1001', token: 'demo-inspay-token' },
  banksathi: { apiKey: 'demo-banksathi-key', iv: 'demo-banksathi-iv' },
} satisfies Record<ProviderName, Record<string, string>>;
export type SimulatorCredentials = typeof demoCredentials;

/** BankSathi's "encrypted" id of a customer: one per mobile number, base64 of base64 as the provider's own ids are. */
export const customerIdOf = (mobile: string): string => btoa(sampleToken(`customer:${mobile}`).slice(0, 24));

/** A BankSathi customer that exists from the start, for callers that work with a default customer id. */
export const demoLeadCustomerId = customerIdOf('9800000001');

type Environment = Readonly<Record<string, string | undefined>>;

/** roundpay, userId → PROVIDER_ROUNDPAY_USER_ID: the service's own setting. */
const variableOf = (provider: ProviderName, field: string): string =>
  `PROVIDER_${provider.toUpperCase()}_${field.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** The demo credentials, each replaced by its environment variable where one is set. */
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

/** Settings of a service that uses a simulator: where each provider is, and the demo credentials. */
export const providerSettings = (simulatorUrl: string): Record<string, string> =>
  Object.fromEntries(
    providerNames.flatMap((provider) => [
      [variableOf(provider, 'url'), `${simulatorUrl}/${provider}`],
      ...Object.entries(demoCredentials[provider]).map(([field, demo]) => [variableOf(provider, field), demo]),
    ]),
  );
