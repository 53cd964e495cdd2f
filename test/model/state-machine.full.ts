import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells, pending } from './state-machine.js';
import { openStage, Play, type Stage } from './state-player.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  try {
    expect(await stage.shared.ledger.check()).toEqual([]);
  } finally {
    await stage.close();
  }
});

describe.concurrent('each cell of the state machine on PostgreSQL', () => {
  for (const cell of cells) {
    if (cell.outcome) {
      const play = pending.includes(cell.name) ? it.fails : it;
      play(`${cell.name} → ${cell.outcome}`, async () => {
        const begun = await Play.begin(stage, cell);
        expect(await begun.differences()).toEqual([]);
      });
    } else if (cell.reason === 'idle') {
      it(`${cell.name}: no check is due`, async () => {
        expect(await (await Play.begin(stage, cell)).checksWhenIdle()).toBe(0);
      });
    }
  }
});
