import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Icon } from './icons.js';
import { words } from './words.js';

/** What a row of a list holds, beside the list: a page gives it while its address names the row, and takes the name away on close. */
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
  /** What has the focus once it is closed; what had it before where there is no such thing. */
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
