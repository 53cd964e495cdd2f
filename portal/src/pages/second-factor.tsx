import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { resetSession } from '../session.js';
import { words } from '../words.js';
import { AddFactor, RecoveryCodes } from './add-factor.js';
import { Outside } from './outside.js';

/** Somebody who must have a second factor and has none sees this before all else. */
export function SecondFactorPage(): ReactNode {
  const { to } = useSearch({ from: '/second-factor' });
  const navigate = useNavigate();
  const [codes, setCodes] = useState<string[]>();
  const goOn = (): void => {
    resetSession();
    void navigate({ href: to ?? '/' });
  };
  if (codes)
    return (
      <Outside title={words.factor.codesTitle}>
        <RecoveryCodes codes={codes} onDone={goOn} />
      </Outside>
    );
  return (
    <Outside title={words.factor.title} lead={words.factor.must}>
      <AddFactor onDone={(made) => (made.length > 0 ? setCodes(made) : goOn())} />
    </Outside>
  );
}
