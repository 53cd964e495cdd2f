import { expect, it } from 'vitest';
import { useOwnApp } from '../support/use-app.js';

const test = useOwnApp({
  TRUST_PROXY: '1',
  PUBLIC_URL_UAT: 'https://uat.gateway.example',
  PUBLIC_URL_PRODUCTION: 'https://api.gateway.example',
  PUBLIC_URL_CONSOLE: 'https://console.gateway.example',
});

const ask = (url: string, host: string, more: Record<string, string> = {}) =>
  test.app.hosts.get('uat')!.inject({ method: 'GET', url, headers: { host, ...more } });

it('serves only its own name behind a proxy, whatever a client says in X-Forwarded-Host', async () => {
  expect((await ask('/openapi.json', 'uat.gateway.example')).statusCode).toBe(200);
  const foreign = await ask('/openapi.json', 'api.gateway.example', { 'x-forwarded-host': 'uat.gateway.example' });
  expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'NOT_FOUND']);
  expect((await ask('/livez', '10.0.0.7:4000')).statusCode).toBe(200);
});

it('hands out the public address, not the one it listens on', async () => {
  expect((await ask('/openapi.json', 'uat.gateway.example')).json().servers).toMatchObject([
    { url: 'https://uat.gateway.example' },
  ]);
});
