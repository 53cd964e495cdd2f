import { cells } from './state-machine.js';
import { playCells } from './state-player.js';

// every cell; state-machine.test.ts runs one cell of each outcome
playCells(cells);
