import { type ReactNode, useState } from 'react';
import { curlOf, type LoggedCall, useCalls } from './call-log.js';
import { Drawer } from './drawer.js';
import { CodeBlock, Empty, Timestamp } from './parts.js';
import { words } from './words.js';

const t = words.calls;

/** Drawer with the API calls of the portal, so that developers can send the same calls. */
export function Calls({ name, onClose }: { name: string | true; onClose: () => void }): ReactNode {
  const calls = useCalls();
  const [selectedKey, setSelectedKey] = useState<number>();
  const openKey = selectedKey ?? (calls.find((call) => call.name === name) ?? calls[0])?.key;
  return (
    <Drawer title={t.title} open onClose={onClose}>
      <p className="quiet">{t.lead}</p>
      {calls.length === 0 ? <Empty>{t.none}</Empty> : null}
      <ul className="list calls">
        {calls.map((call) => (
          <li key={call.key}>
            <button
              type="button"
              className="link"
              aria-expanded={call.key === openKey}
              onClick={() => setSelectedKey(call.key === openKey ? -1 : call.key)}
            >
              {call.name}
            </button>
            <span className="quiet small">
              {t.kinds[call.kind]} · {call.at === undefined ? t.planned : <Timestamp at={call.at} />}
              {call.origin === undefined ? null : ` · ${words.environments.UAT}`}
            </span>
            {call.key === openKey ? <Call call={call} /> : null}
          </li>
        ))}
      </ul>
    </Drawer>
  );
}

const Call = ({ call }: { call: LoggedCall }): ReactNode => (
  <div className="stack">
    <h3>{t.document}</h3>
    <CodeBlock text={call.document} />
    <h3>{t.variables}</h3>
    <CodeBlock text={JSON.stringify(call.variables, null, 2)} />
    <h3>{t.curl}</h3>
    <p className="quiet small">{call.origin === undefined ? t.curlText : t.uatCurlText}</p>
    <CodeBlock text={curlOf(call, location.origin)} />
  </div>
);
