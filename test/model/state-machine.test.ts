import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withSection } from '../../src/cli/generated-file.js';
import { cells, cellsOfOutcomes, type OutcomeName, outcomes, type Reason, reasons } from './state-machine.js';
import { stateTables } from './state-page.js';
import { playCells } from './state-player.js';

describe('the state machine', () => {
  it('uses every outcome and every reason that it explains', () => {
    const used = new Set<OutcomeName | Reason>(cells.map(({ outcome, reason }) => (outcome ?? reason)!));
    expect([...Object.keys(outcomes), ...Object.keys(reasons)].filter((name) => !used.has(name as Reason))).toEqual([]);
    expect(cellsOfOutcomes.map(({ outcome }) => outcome)).toEqual(Object.keys(outcomes));
  });

  it('has a unique name for each cell', () => {
    const names = new Set(cells.map(({ name }) => name));
    expect(names.size).toBe(cells.length);
  });

  // `npm run generate` writes the page
  it('is shown by docs/order-states.md', async () => {
    const page = readFileSync('docs/order-states.md', 'utf8');
    await expect(
      withSection(page, 'states', stateTables()),
      'The state machine has changed: run "npm run generate".',
    ).toMatchFileSnapshot('../../docs/order-states.md');
  });
});

// each outcome once; state-machine.full.ts runs every cell
playCells(cellsOfOutcomes);
