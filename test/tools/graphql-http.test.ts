import { auditServer } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

describe('GraphQL over HTTP', () => {
  it.each(['uat', 'console'] as const)(
    'passes all 61 audits of the graphql-http suite on the %s host',
    async (host) => {
      const results = await auditServer({ url: `${test.urls[host]}/graphql` });
      const failed = results.flatMap((result) =>
        result.status === 'ok' ? [] : [`${result.status} ${result.id} ${result.name}: ${result.reason}`],
      );
      expect(failed).toEqual([]);
      expect(results).toHaveLength(61);
    },
  );
});
