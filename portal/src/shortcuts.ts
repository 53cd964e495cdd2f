import { useEffect, useRef } from 'react';
import { words } from './words.js';

/** What can be done by keys: the palette, the list behind `?` and the tooltips say it in these words. */
export interface Shortcut {
  /** One after the other; `mod` is Ctrl, or Command on a Mac. */
  keys: string;
  name: string;
  /** Left out where another part listens: the list alone names it. */
  run?: () => void;
}

/** Keys of pages, by their path. */
const pages: Readonly<Record<string, string>> = {
  '/': 'g h',
  '/developers': 'g d',
  '/access': 'g a',
  '/orders': 'g o',
  '/wallet': 'g w',
  '/keys': 'g k',
  '/webhooks': 'g e',
  '/services': 'g f',
  '/explorer': 'g u',
  '/security': 'g s',
  '/team': 'g t',
  '/activity': 'g n',
  '/people': 'g p',
  '/kyc': 'g y',
  '/proposals': 'g q',
  '/review': 'g r',
  '/providers': 'g v',
  '/audit': 'g i',
  '/white-labels': 'g b',
  '/settings': 'g x',
  '/onboarding': 'g l',
};
export const keysOfPage = (path: string): string | undefined => pages[path];

export const keys = { palette: 'mod+k', search: '/', list: '?', calls: 'g c' } as const;

/** What parts of pages listen to by themselves. */
export const elsewhere: readonly Shortcut[] = [
  { keys: 'Escape', name: words.shortcuts.escape },
  { keys: 'j', name: words.shortcuts.nextRow },
  { keys: 'k', name: words.shortcuts.previousRow },
];

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** As they stand on the keyboard: `['Ctrl', 'K']`. */
export const shownKeys = (given: string): string[] =>
  given
    .split(/[ +]/)
    .map((key) => (key === 'mod' ? (isMac() ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key));

/** A name with its keys, for a tooltip. */
export const withKeys = (name: string, given: string | undefined): string =>
  given === undefined ? name : `${name} (${shownKeys(given).join(' ')})`;

const PAUSE_MS = 1_000;

/** Somebody types a text, or something stands open above the page. */
const isTaken = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null) ||
  document.querySelector('[role="dialog"]') !== null;

/** Listens while the component is there. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const all = useRef(shortcuts);
  useEffect(() => void (all.current = shortcuts));
  useEffect(() => {
    let begun = '';
    let begunAt = 0;
    const listen = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      const isCommand = ctrlKey || metaKey;
      if (event.defaultPrevented || altKey || event.isComposing || (!isCommand && isTaken(event))) return;
      const isGoingOn = begun !== '' && timeStamp - begunAt < PAUSE_MS;
      const typed = isCommand ? `mod+${key.toLowerCase()}` : isGoingOn ? `${begun} ${key}` : key;
      const meant = all.current.find(({ keys: one, run }) => run && one === typed);
      begun = !meant && all.current.some(({ keys: one }) => one.startsWith(`${typed} `)) ? typed : '';
      begunAt = timeStamp;
      if (!meant) return;
      event.preventDefault();
      meant.run!();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const isSearchBox = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'search';

/** To the search box of the page; Escape in it clears it first, which the browser does, and then leaves it. */
export const toSearchBox = (): void => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
export function leaveSearchBox({ key, target }: KeyboardEvent): void {
  if (key === 'Escape' && isSearchBox(target) && target.value === '') target.blur();
}
