import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import type { Failure } from './failure.js';
import { Icon } from './icons.js';
import { RequestId } from './parts.js';
import { words } from './words.js';

const manager = Toast.createToastManager();

const UNDO_MS = 10_000;

/** Displays a success message, optionally with an undo button. */
export function showMessage(title: string, undo?: () => void): void {
  const action = undo && {
    children: words.common.undo,
    onClick: () => {
      // The message is no longer true after the change was undone.
      manager.close(id);
      undo();
    },
  };
  const id = manager.add({ title, timeout: undo ? UNDO_MS : 5_000, ...(action ? { actionProps: action } : {}) });
}

/** Displays an error message until the user closes it. */
export function showFailure(title: string, { message, requestId }: Failure): void {
  const description = (
    <>
      {message} {requestId === undefined ? null : <RequestId id={requestId} />}
    </>
  );
  manager.add({ title, description, type: 'bad', timeout: 0, priority: 'high' });
}

function List(): ReactNode {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" data-kind={toast.type ?? 'good'}>
      <Toast.Content className="toast-content">
        <Toast.Title className="toast-title" />
        <Toast.Description className="toast-text" />
      </Toast.Content>
      {toast.actionProps ? <Toast.Action className="button" /> : null}
      <Toast.Close className="icon-button" aria-label={words.common.close}>
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ));
}

/** Sets the height of the toasts as a CSS variable, so that dialogs on phones leave space for them. */
function trackHeight(box: HTMLElement | null): void {
  if (!box) return;
  const { style } = document.documentElement;
  new ResizeObserver(() => style.setProperty('--toasts', `${box.offsetHeight}px`)).observe(box);
}

export const Toasts = ({ children }: { children: ReactNode }): ReactNode => (
  <Toast.Provider toastManager={manager}>
    {children}
    <Toast.Portal>
      <Toast.Viewport ref={trackHeight} className="toasts">
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);
