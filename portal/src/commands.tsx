import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useEnvironment } from './environment.js';
import { Icon } from './icons.js';
import { KeyList, Keys } from './keys.js';
import type { Command, Palette as PaletteType } from './palette.js';
import { isStaff, useViewer } from './people.js';
import {
  globalShortcuts,
  keys,
  keysOfPage,
  leaveSearchBox,
  queueShortcuts,
  rowShortcuts,
  type Shortcut,
  toSearchBox,
  useShortcuts,
  withKeys,
} from './shortcuts.js';
import { useShowCalls } from './show-call.js';
import { words } from './words.js';

/** The palette is loaded after the first page, but before the user opens it, because keys typed while it loads would be lost. */
const PALETTE_PRELOAD_MS = 500;

const Calls = lazy(async () => ({ default: (await import('./calls.js')).Calls }));

const t = words.shortcuts;

/** Search, API calls and keyboard shortcuts in the header. */
export function Commands({ pages }: { pages: readonly { to: string; name: string }[] }): ReactNode {
  const navigate = useNavigate();
  const environment = useEnvironment();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  // Not a lazy component, because React would delay it by a third of a second even if it is loaded.
  const [Palette, setPalette] = useState<typeof PaletteType>();
  const close = () => setOpen(undefined);
  const { calls } = useSearch({ from: '__root__' });
  const showCalls = useShowCalls();

  const pageCommands: Command[] = pages.map(({ to, name }) => ({
    name,
    keys: keysOfPage(to),
    run: () => void navigate({ to }),
  }));
  const otherEnvironment = environment === 'UAT' ? 'PRODUCTION' : 'UAT';
  const commands: Command[] = [
    ...pageCommands,
    {
      name: t.toEnvironment(words.environments[otherEnvironment]),
      run: () =>
        void navigate({
          to: '.',
          search: ((current: object) => ({ ...current, environment: otherEnvironment })) as never,
        }),
    },
    { name: words.calls.show, keys: keys.calls, run: () => showCalls(true) },
    { name: t.title, keys: keys.list, run: () => setOpen('keys') },
  ];
  const shortcuts: Shortcut[] = [
    { keys: keys.palette, name: words.palette.title, run: () => setOpen('palette') },
    { keys: keys.search, name: t.search, run: toSearchBox },
    ...pageCommands.flatMap(({ name, keys: pageKeys, run }) => (pageKeys ? [{ name, keys: pageKeys, run }] : [])),
    { keys: keys.calls, name: words.calls.show, run: () => showCalls(true) },
    { keys: keys.list, name: t.title, run: () => setOpen('keys') },
    ...rowShortcuts,
    ...(isStaff(useViewer()) ? queueShortcuts : []),
    ...globalShortcuts,
  ];
  useShortcuts(shortcuts);
  const isPaletteOpen = open === 'palette';
  useEffect(() => {
    const load = async () => {
      const paletteModule = await import('./palette.js');
      setPalette(() => paletteModule.Palette);
    };
    const timer = setTimeout(() => void load(), isPaletteOpen ? 0 : PALETTE_PRELOAD_MS);
    return () => clearTimeout(timer);
  }, [isPaletteOpen]);
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
        <Keys combination={keys.palette} />
      </button>
      {isPaletteOpen && Palette ? <Palette commands={commands} onClose={close} /> : null}
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
