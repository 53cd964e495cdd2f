import { createContext, useContext } from 'react';
import type { SignedInQuery } from './generated/documents.js';

export type Viewer = NonNullable<SignedInQuery['viewer']>;

export const ViewerContext = createContext<Viewer | undefined>(undefined);

/** Who is signed in; for pages below the frame. */
export const useViewer = (): Viewer => useContext(ViewerContext)!;
/** Who checks KYC alone does not read wallets, keys and orders. */
export const readsMoney = ({ user }: Viewer): boolean => user.role !== 'REVIEWER';
export const isStaff = ({ user }: Viewer): boolean => user.role !== 'DEVELOPER';
/** The field of those who see what programs use: webhook endpoints, and keys, which are no field of their own. */
export const READS_KEYS = 'webhookEndpoints';
/** Whether the viewer can use a root field; controls without a permission are not shown. */
export const usePermission = (field: string): boolean => useViewer().permissions.includes(field);

/** Where a person is shown: among the people of their account, or among the operator's own. */
export const personPage = ({ id, developer }: { id: string; developer?: { id: string } | null | undefined }) =>
  developer
    ? ({ to: '/team', search: { user: id, developer: developer.id } } as const)
    : ({ to: '/people', search: { user: id } } as const);
