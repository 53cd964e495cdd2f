import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { type Answer, seed, startTestApp, type TestApp } from '../support/app.js';
import { auditProblems } from '../support/audit.js';

export const PASSWORD = 'correct horse battery';
export type Staff = 'admin' | 'second' | 'support';

export interface Console {
  test: TestApp;
  /** Session tokens: two admins and a supporter. */
  staff: Record<Staff, string>;
  /** A session of the user of a developer's account, made on the way. */
  userOf(developerId: DeveloperId, email?: string): Promise<string>;
  /** An account whose KYC is in; nothing was decided. */
  applicant(name?: string): Promise<DeveloperId>;
  /** One operation on the console host. */
  call(token: string | undefined, query: string, variables?: object): Promise<Answer>;
  /** The same, with the codes of its errors only. */
  codes(token: string | undefined, query: string, variables?: object): Promise<string[]>;
}

/** A service with staff, for the whole file. After each test the books are right and the audit chain is whole. */
export function useConsole(settings: Record<string, string> = {}, log?: Logger): Console {
  const console = {} as Console;
  beforeAll(async () => {
    const test = await startTestApp(settings, log);
    const { users, developers } = test.app;
    let made = 0;
    const session = async (email: string) => (await users.signIn(email, PASSWORD, '127.0.0.1', 'test')).token;
    const person = async (name: string, role: 'admin' | 'support') => {
      const email = `${name}@test.example`;
      await users.create({ email, name, password: PASSWORD, role }, seed);
      return session(email);
    };
    const call: Console['call'] = (token, query, variables) => test.graphql('console', token, query, variables);
    Object.assign(console, {
      test,
      staff: {
        admin: await person('admin', 'admin'),
        second: await person('second', 'admin'),
        support: await person('support', 'support'),
      },
      userOf: async (developerId: DeveloperId, email = `user-${developerId}-${++made}@test.example`) => {
        await users.create({ email, name: 'Someone', password: PASSWORD, role: 'developer', developerId }, seed);
        return session(email);
      },
      applicant: async (name = 'Applicant') => {
        const id = await developers.register({ name, email: `applicant-${++made}@test.example` }, seed);
        await developers.markEmailVerified(id, seed);
        await developers.markKycSubmitted(id, seed);
        return id;
      },
      call,
      codes: async (...args: Parameters<Console['call']>) => codesOf(await call(...args)),
    } satisfies Console);
  });
  afterAll(() => console.test.close());
  afterEach(async () => {
    const { ledger, pool } = console.test.app;
    expect(await ledger.check()).toEqual([]);
    expect(await auditProblems(pool)).toEqual([]);
  });
  return console;
}

export const codesOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);

/** The wrong fields of a refusal, by path. */
export const fieldsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).flatMap(({ extensions }: { extensions: { fields?: { path: string }[] } }) =>
    (extensions.fields ?? []).map(({ path }) => path),
  );
