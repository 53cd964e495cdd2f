import type { ReactNode } from 'react';
import { Window } from './parts.js';
import { keyLabels, type Shortcut } from './shortcuts.js';
import { words } from './words.js';

/** Keys of a shortcut, with the labels of the keyboard. */
export const Keys = ({ combination: keys }: { combination: string | undefined }): ReactNode =>
  keys === undefined ? null : (
    <span className="keys">
      {keyLabels(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );

/** Dialog with the keyboard shortcuts of the page. */
export const KeyList = ({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }): ReactNode => (
  <Window title={words.shortcuts.title} open onClose={onClose}>
    <dl className="key-list">
      {shortcuts.map(({ keys, name }) => (
        <div key={keys}>
          <dt>{name}</dt>
          <dd>
            <Keys combination={keys} />
          </dd>
        </div>
      ))}
    </dl>
  </Window>
);
