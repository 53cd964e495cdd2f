import { createContext, useContext } from 'react';
import type { SignedInQuery } from './generated/documents.js';

export type Viewer = NonNullable<SignedInQuery['viewer']>;

export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Signed-in user. Only for pages inside the frame. */
export const useViewer = (): Viewer => useContext(ViewerContext)!;
/** Whether the user can read wallets, API keys and orders. Reviewers cannot. */
export const readsMoney = ({ user }: Viewer): boolean => user.role !== 'REVIEWER';
export const isStaff = ({ user }: Viewer): boolean => user.role !== 'DEVELOPER';
/** Root field whose permission also covers API keys, which do not have a root field. */
export const READS_KEYS = 'webhookEndpoints';
/** Whether the viewer can use a root field. Controls without permission are not displayed. */
export const usePermission = (field: string): boolean => useViewer().permissions.includes(field);

/** Page that contains the user: the team of the account, or the list of staff. */
export const personPage = ({ id, developer }: { id: string; developer?: { id: string } | null | undefined }) =>
  developer
    ? ({ to: '/team', search: { user: id, developer: developer.id } } as const)
    : ({ to: '/people', search: { user: id } } as const);
