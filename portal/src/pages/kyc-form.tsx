import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { SubmitKycInput } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Card } from '../parts.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { Documents } from './kyc-documents.js';
import type { Account, Draft } from './onboarding.js';

const SAVE = graphql(`
  mutation SaveDraft($input: SaveKycDraftInput!) {
    saveKycDraft(input: $input) {
      developer {
        id
        kycDraft {
          legalName
          pan
          gstin
          address
          pincode
        }
      }
    }
  }
`);
const SUBMIT = graphql(`
  mutation HandIn($input: SubmitKycInput!) {
    submitKyc(input: $input) {
      developer {
        id
        onboardingStatus
      }
    }
  }
`);
const said = words.onboarding;
const TYPED_MS = 800;

/**
 * Keeps what is typed: a moment after the last key, when a field or the page is left, and once there is a network again. Whoever leaves
 * before it is kept is asked.
 */
function useDraft() {
  const call = useCall(SAVE);
  const [state, setState] = useState<'none' | 'saving' | 'saved' | 'notSaved'>('none');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<HTMLFormElement>(undefined);
  async function save(): Promise<void> {
    clearTimeout(timer.current);
    const form = waiting.current;
    if (!form) return;
    waiting.current = undefined;
    setState('saving');
    const { data, failure } = await call.run({ input: Object.fromEntries(new FormData(form)) });
    if (data) return setState('saved');
    // refused, or another one is under way: what was typed goes with the next
    waiting.current ??= form;
    if (failure) setState('notSaved');
    else timer.current = setTimeout(() => void save(), TYPED_MS);
  }
  const last = useRef({ save, isSaving: false });
  useEffect(() => void (last.current = { save, isSaving: state === 'saving' }));
  useEffect(() => {
    const now = (): void => void last.current.save();
    const onHidden = (): void => {
      if (document.visibilityState === 'hidden') now();
    };
    const ask = (event: BeforeUnloadEvent): void => {
      if (waiting.current || last.current.isSaving) event.preventDefault();
    };
    addEventListener('online', now);
    addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      removeEventListener('online', now);
      removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', onHidden);
    };
  }, []);
  return {
    state,
    typed: (form: HTMLFormElement) => {
      waiting.current = form;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), TYPED_MS);
    },
    leave: () => void save(),
    /** It is handed in: there is no draft any more. */
    end: () => {
      clearTimeout(timer.current);
      waiting.current = undefined;
    },
  };
}

const formOf = (target: EventTarget): HTMLFormElement | null => (target as HTMLInputElement).form ?? null;

export function KycForm({
  draft,
  earlier,
  reload,
}: {
  draft: Draft;
  earlier: NonNullable<Account['kyc']>['documents'];
  reload: () => Promise<unknown>;
}): ReactNode {
  const call = useCall(SUBMIT);
  const kept = useDraft();
  const [left, setLeft] = useState<readonly string[]>([]);
  const again = earlier.filter(({ id }) => !left.includes(id));
  const documentIds = [...again, ...draft.documents].map(({ id }) => id);
  const [lacksDocument, setLacksDocument] = useState(false);
  async function handIn({ gstin, ...typed }: Record<string, string>): Promise<void> {
    setLacksDocument(documentIds.length === 0);
    if (documentIds.length === 0) return;
    kept.end();
    const input = { ...typed, ...(gstin ? { gstin } : {}), documentIds } as SubmitKycInput;
    const { data } = await call.run({ input });
    if (!data?.submitKyc) return;
    showMessage(said.submitted);
    void reload();
  }
  return (
    <>
      <Card title={said.documents}>
        <Documents
          draft={draft}
          earlier={earlier}
          isLeft={(id) => left.includes(id)}
          toggle={(id) => setLeft(left.includes(id) ? left.filter((one) => one !== id) : [...left, id])}
          reload={reload}
        />
      </Card>
      <Card title={said.owner}>
        {/* what bubbles up of its fields */}
        <div
          onInput={({ target }) => {
            const form = formOf(target);
            if (form) kept.typed(form);
          }}
          onBlur={kept.leave}
        >
          <CallForm
            failure={call.failure}
            document={SUBMIT}
            message={lacksDocument && documentIds.length === 0 ? said.noDocument : undefined}
            busy={call.isRunning}
            submit={said.submit}
            send={(values) => void handIn(values)}
            extra={
              <span role="status" className="quiet small grow">
                {kept.state === 'none' ? null : said[kept.state]}
              </span>
            }
          >
            <TextField
              name="legalName"
              label={said.legalName}
              hint={said.legalNameHint}
              initialValue={draft.legalName ?? ''}
              maxLength={100}
              autoComplete="organization"
              required
            />
            <div className="pair">
              <TextField
                name="pan"
                label={said.pan}
                hint={said.panHint}
                initialValue={draft.pan ?? ''}
                maxLength={10}
                pattern="[A-Za-z]{5}[0-9]{4}[A-Za-z]"
                title={said.panRule}
                autoCapitalize="characters"
                autoComplete="off"
                spellCheck={false}
                required
              />
              <TextField
                name="gstin"
                label={said.gstin}
                hint={said.gstinHint}
                initialValue={draft.gstin ?? ''}
                maxLength={15}
                autoCapitalize="characters"
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <TextField
              name="address"
              label={said.address}
              initialValue={draft.address ?? ''}
              maxLength={255}
              autoComplete="street-address"
              required
            />
            <TextField
              name="pincode"
              label={said.pincode}
              initialValue={draft.pincode ?? ''}
              maxLength={6}
              pattern="[1-9][0-9]{5}"
              title={said.pincodeRule}
              inputMode="numeric"
              autoComplete="postal-code"
              required
            />
          </CallForm>
        </div>
      </Card>
    </>
  );
}
