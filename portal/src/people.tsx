import { createContext, useContext } from 'react';
import type { SignedInQuery } from './generated/documents.js';

export type Viewer = NonNullable<SignedInQuery['viewer']>;

export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Who is signed in; for pages below the frame. */
export const useViewer = (): Viewer => useContext(ViewerContext)!;
/** Who checks KYC alone does not read wallets, keys and orders. */
export const readsMoney = ({ user }: Viewer): boolean => user.role !== 'REVIEWER';
/** Whether they may use a root field of the console: what they may not, no page offers. */
export const mayUse = ({ may }: Viewer, field: string): boolean => may.includes(field);
export const isStaff = ({ user }: Viewer): boolean => user.role !== 'DEVELOPER';
