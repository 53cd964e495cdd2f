import { type TakesLine, useSharedApp } from '../support/use-app.js';

export const NAMES = {
  uat: 'uat.gateway.example',
  production: 'api.gateway.example',
  console: 'console.gateway.example',
} as const;

/** Source address of RoundPay's callbacks. */
export const ROUNDPAY_ADDRESS = '203.0.113.7';

/** As in production: behind one proxy, with public names, and with health checks on a separate listener. */
export const useAppBehindProxy = (takes?: TakesLine) =>
  useSharedApp(
    {
      TRUST_PROXY: '1',
      CALLBACK_ADDRESSES: `roundpay:${ROUNDPAY_ADDRESS}`,
      PUBLIC_URL_UAT: `https://${NAMES.uat}`,
      PUBLIC_URL_PRODUCTION: `https://${NAMES.production}`,
      PUBLIC_URL_CONSOLE: `https://${NAMES.console}`,
      HEALTH_ON_HOSTS: 'false',
      OPS_PORT: '0',
      SECURITY_CONTACT: 'mailto:security@gateway.example, https://gateway.example/report',
      SECURITY_POLICY_URL: 'https://gateway.example/security',
    },
    takes,
  );
