import type { Room } from '../core/room.js';
import { CodeTablesResolver } from './code-tables.resolver.js';

/** The lists that a screen is built from. */
export const createCodeTables = (): Room => ({ resolvers: [new CodeTablesResolver()] });
