import { customerIdOf } from './fingerprint.js';

/** What callers must present to each simulated provider. */
export interface SimulatorCredentials {
  roundpay: { userId: string; token: string };
  mokshiq: { token: string; origin: string; pin: string };
  ekychub: { username: string; token: string };
  inspay: { username: string; token: string };
  banksathi: { apiKey: string; iv: string };
}

/** The demo's values; a service that has no credentials of its own for the simulator uses the same ones. */
export const demoCredentials: SimulatorCredentials = {
  roundpay: { userId: 'DEMO-RP-1001', token: 'demo-roundpay-token' },
  mokshiq: { token: 'demo-mokshiq-token', origin: 'https://partner.example', pin: '4321' },
  ekychub: { username: 'demo-ekychub', token: 'demo-ekychub-token' },
  inspay: { username: 'DEMO-IP-1001', token: 'demo-inspay-token' },
  banksathi: { apiKey: 'demo-banksathi-key', iv: 'demo-banksathi-iv' },
};

/** A BankSathi customer that exists from the start, for callers that work with a default customer id. */
export const demoLeadCustomerId = customerIdOf('9800000001');

type Environment = Readonly<Record<string, string | undefined>>;

/** The demo credentials, each replaced by its environment variable where one is set. */
export function credentialsFrom(env: Environment): SimulatorCredentials {
  const { roundpay, mokshiq, ekychub, inspay, banksathi } = demoCredentials;
  return {
    roundpay: {
      userId: env.PROVIDER_ROUNDPAY_USER_ID || roundpay.userId,
      token: env.PROVIDER_ROUNDPAY_TOKEN || roundpay.token,
    },
    mokshiq: {
      token: env.PROVIDER_MOKSHIQ_TOKEN || mokshiq.token,
      origin: env.PROVIDER_MOKSHIQ_ORIGIN || mokshiq.origin,
      pin: env.PROVIDER_MOKSHIQ_PIN || mokshiq.pin,
    },
    ekychub: {
      username: env.PROVIDER_EKYCHUB_USERNAME || ekychub.username,
      token: env.PROVIDER_EKYCHUB_TOKEN || ekychub.token,
    },
    inspay: {
      username: env.PROVIDER_INSPAY_USERNAME || inspay.username,
      token: env.PROVIDER_INSPAY_TOKEN || inspay.token,
    },
    banksathi: {
      apiKey: env.PROVIDER_BANKSATHI_API_KEY || banksathi.apiKey,
      iv: env.PROVIDER_BANKSATHI_IV || banksathi.iv,
    },
  };
}
