import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { createMokshiqAdapter } from '../../src/providers/mokshiq/mokshiq.adapter.js';
import type { RechargePort } from '../../src/providers/ports/recharge.port.js';
import { RechargePorts } from '../../src/providers/providers.js';
import { allProviders, rechargeProviders } from '../../src/providers/registry.js';
import { createRoundPayAdapter } from '../../src/providers/roundpay/roundpay.adapter.js';
import { createSandboxRecharge } from '../../src/providers/sandbox/recharge.adapter.js';
import { dthOrder, mobileOrder, statusCheckOf } from './fixtures/recharge-orders.js';
import { neverSent, ScriptedClient } from './scripted-client.js';

const sandbox = createSandboxRecharge({ responseTimeoutMs: 1_000 });
const port = (provider: string, more: Partial<RechargePort> = {}): RechargePort => ({ ...sandbox, provider, ...more });

describe('the provider port of a recharge', () => {
  it('is the sandbox in UAT and the assigned provider in Production', () => {
    const [first, second] = [port('ONE'), port('OTHER')];
    const ports = new RechargePorts(sandbox, [first, second]);
    expect(ports.of('uat', 'OTHER')).toBe(sandbox);
    expect(ports.of('production', 'OTHER')).toBe(second);
  });

  it('accepts nothing if the assigned provider is known only to a newer version of the service', async () => {
    const absent = new RechargePorts(sandbox, [port('ONE')]).of('production', 'PAYX');
    expect(absent).toMatchObject({ provider: 'PAYX', available: false });
    const order = { reference: 'R', accountNumber: '9876541703', operatorSpKey: 116, operatorType: 'mobile' } as never;
    expect(await absent.recharge(order)).toEqual({ kind: 'declined', evidence: { reason: 'never_sent' } });
    expect((await absent.checkStatus(order)).kind).toBe('unknown');
  });

  it('passes the number of a recharge to the circuit breaker, but not that of a status check', async () => {
    const [roundpay, mokshiq] = [0, 1].map(() => new ScriptedClient(neverSent, neverSent, neverSent, neverSent));
    const token = new Secret('token');
    const adapter = createRoundPayAdapter({ client: roundpay!, credentials: { userId: 'U1', token } });
    const other = createMokshiqAdapter({ client: mokshiq!, credentials: { token, origin: 'https://partner.example' } });
    await adapter.recharge(mobileOrder);
    await adapter.checkStatus(statusCheckOf(mobileOrder));
    await other.recharge(dthOrder);
    await other.findCircle(mobileOrder.accountNumber);
    const [sent, ...checks] = roundpay!.requests.map(({ number }) => number);
    expect([sent, new Set(checks)]).toEqual([mobileOrder.accountNumber, new Set([undefined])]);
    expect(mokshiq!.requests.map(({ number }) => number)).toEqual([dthOrder.accountNumber, mobileOrder.accountNumber]);
  });

  it('uses any provider with a circle lookup, and fails at start-up if one is required but missing', async () => {
    const seeker = port('SEEKER', { needsCircle: true });
    expect(() => new RechargePorts(sandbox, [port('ONE'), seeker])).toThrow('SEEKER needs the circle');
    const circle = { code: '10', name: 'Delhi' } as never;
    const ports = new RechargePorts(sandbox, [seeker, port('FINDER', { findCircle: async () => circle })]);
    expect(await ports.circleFinder.findCircle('9876541703')).toBe(circle);
  });
});

describe('the provider registry', () => {
  it('has unique names in capital letters, and the default first', () => {
    const names = allProviders.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z]{2,20}$/);
    expect(rechargeProviders[0].name).toBe('ROUNDPAY');
  });
});
