import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useEnvironment } from './environment.js';
import { Icon } from './icons.js';
import { KeyList, Keys } from './keys.js';
import type { Command } from './palette.js';
import { isStaff, useViewer } from './people.js';
import {
  elsewhere,
  keys,
  keysOfPage,
  leaveSearchBox,
  ofQueues,
  ofRows,
  type Shortcut,
  toSearchBox,
  useShortcuts,
  withKeys,
} from './shortcuts.js';
import { useShowCalls } from './show-call.js';
import { words } from './words.js';

const loadPalette = async () => ({ default: (await import('./palette.js')).Palette });
const Palette = lazy(loadPalette);
/** It is no part of the first load, and there before anybody opens it: what is typed at once would be lost. */
const PALETTE_AFTER_MS = 500;

const Calls = lazy(async () => ({ default: (await import('./calls.js')).Calls }));

const said = words.shortcuts;

/** In the header: what finds everything, and the keys of this page. */
export function Commands({ pages }: { pages: readonly { to: string; name: string }[] }): ReactNode {
  const navigate = useNavigate();
  const environment = useEnvironment();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  const close = () => setOpen(undefined);
  const { calls } = useSearch({ from: '__root__' });
  const showCalls = useShowCalls();

  const toPages: Command[] = pages.map(({ to, name }) => ({
    name,
    keys: keysOfPage(to),
    run: () => void navigate({ to }),
  }));
  const other = environment === 'UAT' ? 'PRODUCTION' : 'UAT';
  const commands: Command[] = [
    ...toPages,
    {
      name: said.toEnvironment(words.environments[other]),
      run: () => void navigate({ to: '.', search: ((shown: object) => ({ ...shown, environment: other })) as never }),
    },
    { name: words.calls.title, keys: keys.calls, run: () => showCalls(true) },
    { name: said.title, keys: keys.list, run: () => setOpen('keys') },
  ];
  const shortcuts: Shortcut[] = [
    { keys: keys.palette, name: words.palette.title, run: () => setOpen('palette') },
    { keys: keys.search, name: said.search, run: toSearchBox },
    ...toPages.flatMap(({ name, keys: ofPage, run }) => (ofPage ? [{ name, keys: ofPage, run }] : [])),
    { keys: keys.calls, name: words.calls.title, run: () => showCalls(true) },
    { keys: keys.list, name: said.title, run: () => setOpen('keys') },
    ...ofRows,
    ...(isStaff(useViewer()) ? ofQueues : []),
    ...elsewhere,
  ];
  useShortcuts(shortcuts);
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    document.addEventListener('keydown', leaveSearchBox);
    return () => document.removeEventListener('keydown', leaveSearchBox);
  }, []);

  return (
    <>
      <button
        type="button"
        className="find"
        title={withKeys(words.palette.title, keys.palette)}
        onClick={() => setOpen('palette')}
      >
        <Icon name="find" />
        <span>{words.palette.title}</span>
        <Keys of={keys.palette} />
      </button>
      <Suspense>{open === 'palette' ? <Palette commands={commands} onClose={close} /> : null}</Suspense>
      <button
        type="button"
        className="icon-button"
        aria-label={words.calls.show}
        title={withKeys(words.calls.show, keys.calls)}
        onClick={() => showCalls(true)}
      >
        <Icon name="terminal" />
      </button>
      <Suspense>{calls ? <Calls onClose={() => showCalls(false)} /> : null}</Suspense>
      {open === 'keys' ? <KeyList shortcuts={shortcuts} onClose={close} /> : null}
    </>
  );
}
