import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { testEnvironment } from '../support/app.js';

const load = (settings: Record<string, string>) =>
  loadConfig({ ...testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]), ...settings });

describe('settings that contradict each other are refused with a sentence that names both', () => {
  it('a window that ends before the provider does', () => {
    const window = (syncWindowMs: number) =>
      load({ PROVIDER_TIMEOUT_MS: '2000', SYNC_WINDOW_MS: String(syncWindowMs) });
    expect(() => window(2_499)).toThrow(/^ {2}SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS \+ 500, /m);
    expect(window(2_500).syncWindowMs).toBe(2_500);
    // although only one of them is set
    const { SYNC_WINDOW_MS: _, ...unset } = testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]);
    expect(() => loadConfig({ ...unset, PROVIDER_TIMEOUT_MS: '25000', VISIBILITY_DELAY_MS: '15m' })).toThrow(
      /^ {2}SYNC_WINDOW_MS: must be at least/m,
    );
  });

  it('a visibility delay that ends while an order is still being sent', () => {
    const delay = (visibilityDelayMs: number) =>
      load({ PROVIDER_TIMEOUT_MS: '2000', LEASE_MARGIN_MS: '1000', VISIBILITY_DELAY_MS: String(visibilityDelayMs) });
    expect(() => delay(3_000)).toThrow(
      /^ {2}VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS \+ LEASE_MARGIN_MS, /m,
    );
    expect(delay(3_001).visibilityDelayMs).toBe(3_001);
  });
});
