import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from './generated/documents.js';
import { isStaff, useViewer } from './people.js';
import { words } from './words.js';

const ENVIRONMENTS = Object.keys(words.environments) as Environment[];

/** Play money or real money: one choice for all pages, kept in the address. Staff begin with the real one, developers with play. */
export function useEnvironment(): Environment {
  const { environment } = useSearch({ from: '__root__' });
  const viewer = useViewer();
  return environment ?? (isStaff(viewer) ? 'PRODUCTION' : 'UAT');
}

/** What is open, and on which page of a list one is, belongs to the environment that is left. */
const anew = (environment: Environment) => (shown: Record<string, unknown>) => ({
  ...shown,
  after: undefined,
  before: undefined,
  environment,
});

export function EnvironmentSwitch(): ReactNode {
  const navigate = useNavigate();
  const environment = useEnvironment();
  return (
    <ToggleGroup
      className="environments"
      aria-label={words.environment}
      value={[environment]}
      onValueChange={([chosen]) => {
        if (chosen !== undefined) void navigate({ to: '.', search: anew(chosen as Environment) as never });
      }}
    >
      {ENVIRONMENTS.map((one) => (
        <Toggle key={one} value={one} data-environment={one}>
          {words.environments[one]}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
