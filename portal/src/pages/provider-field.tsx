import type { ReactNode } from 'react';
import type { RechargeProvider } from '../generated/documents.js';
import { words } from '../words.js';

const PROVIDERS = Object.keys(words.providers) as RechargeProvider[];

export const ProviderField = ({ value }: { value?: RechargeProvider }): ReactNode => (
  <label className="field">
    <strong>{words.whiteLabels.provider}</strong>
    <select name="rechargeProvider" defaultValue={value}>
      {PROVIDERS.map((one) => (
        <option key={one} value={one}>
          {words.providers[one]}
        </option>
      ))}
    </select>
  </label>
);
