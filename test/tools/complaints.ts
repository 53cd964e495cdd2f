import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Clients say on the console which data their cache cannot keep apart: in this file they have nothing to say. */
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
