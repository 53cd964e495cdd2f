import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Fails if a client logs cache warnings about data without an ID in this file. */
export function expectNoComplaints(): void {
  const complaints: unknown[] = [];
  beforeEach(() => {
    complaints.length = 0;
    for (const level of ['debug', 'log', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((...words) => void complaints.push(words));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    expect(complaints).toEqual([]);
  });
}
