import { cells } from './state-machine.js';
import { playCells } from './state-player.js';

// every cell; state-machine.test.ts plays one cell of each outcome
playCells(cells);
