import type { ReactNode } from 'react';
import { Window } from './parts.js';
import { type Shortcut, shownKeys } from './shortcuts.js';
import { words } from './words.js';

/** Keys as they stand on the keyboard. */
export const Keys = ({ of: given }: { of: string | undefined }): ReactNode =>
  given === undefined ? null : (
    <span className="keys">
      {shownKeys(given).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );

/** What the keyboard does on this page. */
export const KeyList = ({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }): ReactNode => (
  <Window title={words.shortcuts.title} open onClose={onClose}>
    <dl className="key-list">
      {shortcuts.map(({ keys, name }) => (
        <div key={keys}>
          <dt>{name}</dt>
          <dd>
            <Keys of={keys} />
          </dd>
        </div>
      ))}
    </dl>
  </Window>
);
