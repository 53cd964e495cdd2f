import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Icon } from './icons.js';
import { words } from './words.js';

/**
 * Displays details of a row next to its list. The page opens the drawer while its URL contains the row, and removes the row from
 * the URL on close.
 */
export const Drawer = ({
  title,
  open,
  onClose,
  focusAfter,
  children,
}: {
  title: ReactNode;
  open: boolean;
  onClose: () => void;
  /** Element that receives the focus on close. Defaults to the element that had the focus before. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}): ReactNode => (
  <Dialog.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
    <Dialog.Portal>
      <Dialog.Backdrop className="backdrop" />
      <Dialog.Popup className="drawer" finalFocus={() => focusAfter?.() ?? true}>
        <div className="card-head">
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Close className="icon-button" aria-label={words.common.close}>
            <Icon name="close" />
          </Dialog.Close>
        </div>
        {children}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);
