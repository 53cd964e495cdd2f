import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useEnvironment } from './environment.js';
import { Icon } from './icons.js';
import { KeyList, Keys } from './keys.js';
import type { Command, Palette as PaletteType } from './palette.js';
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

/** The palette is no part of the first load, and there before anybody opens it: what is typed at once would be lost. */
const PALETTE_AFTER_MS = 500;

const Calls = lazy(async () => ({ default: (await import('./calls.js')).Calls }));

const said = words.shortcuts;

/** In the header: what finds everything, and the keys of this page. */
export function Commands({ pages }: { pages: readonly { to: string; name: string }[] }): ReactNode {
  const navigate = useNavigate();
  const environment = useEnvironment();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  // no lazy part: React would hold it back for a third of a second, though it is there
  const [Palette, setPalette] = useState<typeof PaletteType>();
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
  const isAsked = open === 'palette';
  useEffect(() => {
    const load = async () => {
      const loaded = await import('./palette.js');
      setPalette(() => loaded.Palette);
    };
    const timer = setTimeout(() => void load(), isAsked ? 0 : PALETTE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isAsked]);
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
      {isAsked && Palette ? <Palette commands={commands} onClose={close} /> : null}
      <button
        type="button"
        className="icon-button"
        aria-label={words.calls.show}
        title={withKeys(words.calls.show, keys.calls)}
        onClick={() => showCalls(true)}
      >
        <Icon name="terminal" />
      </button>
      <Suspense>{calls ? <Calls name={calls} onClose={() => showCalls(false)} /> : null}</Suspense>
      {open === 'keys' ? <KeyList shortcuts={shortcuts} onClose={close} /> : null}
    </>
  );
}
