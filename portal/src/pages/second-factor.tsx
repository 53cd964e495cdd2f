import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { forget } from '../session.js';
import { words } from '../words.js';
import { AddFactor } from './add-factor.js';
import { Outside } from './outside.js';

/** Somebody who must have a second factor and has none sees this before all else. */
export function SecondFactorPage(): ReactNode {
  const { to } = useSearch({ from: '/second-factor' });
  const navigate = useNavigate();
  return (
    <Outside title={words.factor.title} lead={words.factor.must}>
      <AddFactor
        onDone={() => {
          forget();
          void navigate({ href: to ?? '/' });
        }}
      />
    </Outside>
  );
}
