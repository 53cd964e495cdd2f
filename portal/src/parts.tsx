import { Dialog } from '@base-ui/react/dialog';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { toClipboard } from './clipboard.js';
import type { Failure } from './failure.js';
import { instant, moment } from './format.js';
import type { OrderStatus } from './generated/documents.js';
import { Icon } from './icons.js';
import { useRows } from './rows.js';
import { words } from './words.js';

type Tone = 'good' | 'bad' | 'wait' | 'live' | 'quiet';

/** Status as a dot and a word, so that it does not depend only on color. */
export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode => (
  <span className="badge" data-tone={tone}>
    {children}
  </span>
);

const TONES: Record<OrderStatus, Tone> = { SUCCESS: 'good', PENDING: 'wait', FAILED: 'bad', REVERSED: 'quiet' };

export const OrderBadge = ({ status }: { status: OrderStatus }): ReactNode => (
  <Badge tone={TONES[status]}>{words.orders[status]}</Badge>
);

export function Button({
  kind = 'plain',
  busy,
  ...rest
}: ComponentProps<'button'> & { kind?: 'plain' | 'main' | 'bad' | 'live'; busy?: boolean }): ReactNode {
  return <button type="button" className="button" data-kind={kind} {...rest} disabled={busy || rest.disabled} />;
}

export function Card({
  title,
  side,
  edge,
  children,
}: {
  title?: ReactNode;
  side?: ReactNode;
  edge?: 'uat' | 'live';
  children: ReactNode;
}): ReactNode {
  return (
    <section className="card" data-edge={edge}>
      {title === undefined ? null : (
        <header className="card-head">
          <h2>{title}</h2>
          {side}
        </header>
      )}
      {children}
    </section>
  );
}

export const PageHead = ({
  title,
  lead,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  children?: ReactNode;
}): ReactNode => (
  <header className="page-head">
    <div>
      <h1 tabIndex={-1}>{title}</h1>
      {lead === undefined ? null : <p className="quiet">{lead}</p>}
    </div>
    {children === undefined ? null : <div className="row">{children}</div>}
  </header>
);

/** Heading that receives the focus if the focused element was removed. */
export const pageHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Error message with the request ID for support. */
export const Problem = ({ failure, retry }: { failure: Failure; retry?: () => void }): ReactNode => (
  <div className="problem">
    <div role="alert">
      <p>{failure.message}</p>
      <p className="quiet small">
        <code>{failure.code}</code>
        {failure.requestId === undefined ? null : (
          <>
            {' · '}
            <RequestId id={failure.requestId} />
          </>
        )}
      </p>
    </div>
    {retry ? <Retry at={failure.retryAt} retry={retry} /> : null}
  </div>
);

export const RequestId = ({ id }: { id: string }): ReactNode => (
  <span className="request">
    {words.common.request} <code>{id}</code> <Copy text={id} subject={words.common.request} />
  </span>
);

const SECOND_MS = 1_000;

/** Retry button with a countdown. */
function Retry({ at = 0, retry }: { at: number | undefined; retry: () => void }): ReactNode {
  const [now, setNow] = useState(Date.now);
  const remainingMs = at - now;
  const isWaiting = remainingMs > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return (
    <Button onClick={retry} disabled={isWaiting}>
      {isWaiting ? words.failure.retryIn(remainingMs) : words.common.retry}
    </Button>
  );
}

export const Skeleton = ({ rows = 5 }: { rows?: number }): ReactNode => (
  <div className="skeleton" role="status" aria-label={words.common.loading}>
    {Array.from({ length: rows }, (_, row) => (
      // oxlint-disable-next-line react/no-array-index-key
      <span key={row} />
    ))}
  </div>
);

export const Empty = ({ children, action }: { children: ReactNode; action?: ReactNode }): ReactNode => (
  <div className="empty">
    <p>{children}</p>
    {action}
  </div>
);

/**
 * Container of a table with keyboard navigation. If the table is too wide, the container is focusable so that it can be scrolled.
 */
export function TableBox({ label, children }: { label: string; children: ReactNode }): ReactNode {
  const box = useRows<HTMLDivElement>();
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const { current } = box;
    const observer = new ResizeObserver(() => setCut(current!.scrollWidth > current!.clientWidth));
    observer.observe(current!);
    observer.observe(current!.firstElementChild!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} className="table-box" {...(isCut && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  );
}

/** Time in IST, with the exact time as a tooltip. */
export const Timestamp = ({ at }: { at: string }): ReactNode => (
  <time dateTime={at} title={instant(at)}>
    {moment(at)}
  </time>
);

const MINUTE_MS = 60_000;
/** Age of a queue item. */
export const ageOf = (at: string): string =>
  words.common.age(Math.max(0, Math.floor((Date.now() - Date.parse(at)) / MINUTE_MS)));

const COPIED_MS = 2_000;

export function Copy({
  text,
  label = words.common.copy,
  subject,
}: {
  text: string;
  label?: string;
  /** Name of the copied value, for screen readers. */
  subject?: string;
}): ReactNode {
  const [message, setMessage] = useState<string>();
  const copy = async (): Promise<void> => {
    setMessage((await toClipboard(text)) ? words.common.copied : words.common.notCopied);
    setTimeout(() => setMessage(undefined), COPIED_MS);
  };
  return (
    <Button
      onClick={() => void copy()}
      aria-live="polite"
      {...(subject === undefined ? {} : { 'aria-label': `${label}: ${subject}` })}
    >
      {message ?? label}
    </Button>
  );
}

/** Value with a copy button. */
export const Value = ({ label, text }: { label: string; text: string }): ReactNode => (
  <div className="value">
    <span className="value-label">{label}</span>
    <code>{text}</code>
    <Copy text={text} />
  </div>
);

export const CodeBlock = ({ text }: { text: string }): ReactNode => (
  <div className="code">
    <pre>
      <code>{text}</code>
    </pre>
    <Copy text={text} />
  </div>
);

/** Saves a text as a file, without a request to a server. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Modal dialog. A click outside does not close it, so that no input is lost. */
export function Window({
  title,
  text,
  open,
  onClose,
  focusAfter,
  children,
  edge,
}: {
  title: string;
  text?: string;
  open: boolean;
  onClose?: () => void;
  /** Element that receives the focus on close. Defaults to the element that had the focus before. */
  focusAfter?: (() => HTMLElement | null) | undefined;
  children: ReactNode;
  edge?: 'live';
}): ReactNode {
  // Stores the focused element before a field of the form receives the focus.
  const [wasOpen, setWasOpen] = useState(false);
  const [opener, setOpener] = useState<Element | null>(null);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setOpener(document.activeElement);
  }
  return (
    <Dialog.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose?.())} disablePointerDismissal>
      <Dialog.Portal>
        {/* Rendered even inside a drawer, because the drawer would otherwise be as bright as the dialog. */}
        <Dialog.Backdrop className="backdrop" forceRender />
        <Dialog.Popup
          className="window"
          data-edge={edge}
          finalFocus={() => focusAfter?.() ?? (opener instanceof HTMLElement && opener.isConnected ? opener : true)}
        >
          <div className="card-head">
            <Dialog.Title>{title}</Dialog.Title>
            {onClose ? (
              <Dialog.Close className="icon-button" aria-label={words.common.close}>
                <Icon name="close" />
              </Dialog.Close>
            ) : null}
          </div>
          {text === undefined ? null : <Dialog.Description className="quiet">{text}</Dialog.Description>}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
