import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from './parts.js';
import { words } from './words.js';

/** Nothing is at this address, or nothing for whoever is signed in: staff have no account of their own. */
export const NoPage = (): ReactNode => (
  <Empty action={<Link to="/">{words.nav.home}</Link>}>{words.failure.noPage}</Empty>
);
