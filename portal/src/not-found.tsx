import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from './parts.js';
import { words } from './words.js';

/** Displayed if the page does not exist, or does not exist for this user: staff do not have a developer account. */
export const NotFound = (): ReactNode => (
  <Empty action={<Link to="/">{words.nav.home}</Link>}>{words.failure.notFound}</Empty>
);
