import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Environment } from './generated/documents.js';
import { isStaff, useViewer } from './people.js';
import { words } from './words.js';

const ENVIRONMENTS = Object.keys(words.environments) as Environment[];

/** Environment of all pages, from the URL. Defaults to Production for staff and UAT for developers. */
export function useEnvironment(): Environment {
  const { environment } = useSearch({ from: '__root__' });
  const viewer = useViewer();
  return environment ?? (isStaff(viewer) ? 'PRODUCTION' : 'UAT');
}

/** Resets the pagination, which belongs to the previous environment. */
const switchTo = (environment: Environment) => (current: Record<string, unknown>) => ({
  ...current,
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
      onValueChange={([value]) => {
        if (value !== undefined) void navigate({ to: '.', search: switchTo(value as Environment) as never });
      }}
    >
      {ENVIRONMENTS.map((option) => (
        <Toggle key={option} value={option} data-environment={option}>
          {words.environments[option]}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
