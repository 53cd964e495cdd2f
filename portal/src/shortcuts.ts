import { useEffect, useRef } from 'react';
import { toClipboard } from './clipboard.js';
import { showMessage } from './toasts.js';
import { words } from './words.js';

/** Keyboard shortcut, listed in the palette, in the list of shortcuts and in tooltips. */
export interface Shortcut {
  /** Keys in sequence. `mod` is Ctrl, or Command on a Mac. */
  keys: string;
  name: string;
  /** Handler; omitted if another component handles the shortcut. */
  run?: () => void;
  /** Whether the shortcut also works while a drawer is open. */
  inDrawers?: true;
}

/** Shortcuts of pages, by path. */
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
  '/approval-requests': 'g q',
  '/review': 'g r',
  '/differences': 'g g',
  '/providers': 'g v',
  '/audit': 'g i',
  '/white-labels': 'g b',
  '/settings': 'g x',
  '/onboarding': 'g l',
  '/webhooks/deliveries': 'g j',
  '/failed-emails': 'g m',
  '/attempts': 'g z',
};
export const keysOfPage = (path: string): string | undefined => pages[path];

export const keys = { palette: 'mod+k', search: '/', list: '?', calls: 'g c' } as const;

/** Shortcuts that other components handle. */
export const globalShortcuts: readonly Shortcut[] = [
  { keys: 'Escape', name: words.shortcuts.escape },
  { keys: 'j', name: words.shortcuts.nextRow },
  { keys: 'k', name: words.shortcuts.previousRow },
];

/** Link of the row that the drawer displays or that has the focus. Its `data-row` is the ID of the record. */
const activeRow = (): HTMLElement | null | undefined =>
  document.querySelector<HTMLElement>('[data-open] [data-row]') ??
  document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row]');

async function copyRow(): Promise<void> {
  const id = activeRow()?.dataset.row;
  if (!id) return;
  showMessage((await toClipboard(id)) ? words.shortcuts.copied(id) : words.common.notCopied);
}

/** Shortcuts for the rows of all lists. */
export const rowShortcuts: readonly Shortcut[] = [
  { keys: 'c', name: words.shortcuts.copyRow, run: () => void copyRow(), inDrawers: true },
];

/** Shortcuts for the queues of staff. */
export const queueShortcuts: readonly Shortcut[] = [
  {
    keys: 'x',
    name: words.shortcuts.select,
    run: () =>
      (activeRow() ?? document.activeElement)
        ?.closest('tr')
        ?.querySelector<HTMLElement>('input[type="checkbox"]')
        ?.click(),
  },
  {
    keys: 'e',
    name: words.shortcuts.resolve,
    // A button that resolves without a dialog only receives the focus.
    run: () => {
      const button = [...document.querySelectorAll<HTMLElement>('[data-decide]')].at(-1);
      if (button?.dataset.decide === 'here') button.focus();
      else button?.click();
    },
    inDrawers: true,
  },
];

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Key labels, for example `['Ctrl', 'K']`. */
export const keyLabels = (combination: string): string[] =>
  combination
    .split(/[ +]/)
    .map((key) => (key === 'mod' ? (isMac() ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key));

/** Name with its shortcut, for tooltips. */
export const withKeys = (name: string, combination: string | undefined): string =>
  combination === undefined ? name : `${name} (${keyLabels(combination).join(' ')})`;

const PAUSE_MS = 1_000;

const TEXT_INPUTS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

/**
 * Whether a shortcut applies: the user is not typing, and no dialog is open above the page. Toasts are ignored. Shortcuts with
 * Ctrl or Command apply everywhere except in a modal dialog.
 */
function isAvailable({ target, ctrlKey, metaKey }: KeyboardEvent, { inDrawers }: Shortcut): boolean {
  if (ctrlKey || metaKey) return !document.querySelector('.window');
  if (target instanceof Element && target.closest(TEXT_INPUTS)) return false;
  return !document.querySelector(inDrawers ? '.window, .palette, .sheet' : '.drawer, .window, .palette, .sheet');
}

/** Handles the shortcuts while the component is mounted. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useEffect(() => void (latest.current = shortcuts));
  useEffect(() => {
    let prefix = '';
    let prefixAt = 0;
    const listen = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      const isCommand = ctrlKey || metaKey;
      if (event.defaultPrevented || altKey || event.isComposing) return;
      const available = latest.current.filter((shortcut) => isAvailable(event, shortcut));
      const isContinued = prefix !== '' && timeStamp - prefixAt < PAUSE_MS;
      const input = isCommand ? `mod+${key.toLowerCase()}` : isContinued ? `${prefix} ${key}` : key;
      const match = available.find(({ keys: combination, run }) => run && combination === input);
      prefix = !match && available.some(({ keys: combination }) => combination.startsWith(`${input} `)) ? input : '';
      prefixAt = timeStamp;
      if (!match) return;
      event.preventDefault();
      match.run!();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const isSearchBox = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.type === 'search';

/**
 * Focuses the search box of the page. In the search box, Escape clears the text (browser default); a second Escape removes the
 * focus.
 */
export const toSearchBox = (): void => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
export function leaveSearchBox({ key, target }: KeyboardEvent): void {
  if (key === 'Escape' && isSearchBox(target) && target.value === '') target.blur();
}
