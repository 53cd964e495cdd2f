import { afterAll, beforeAll, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { FROM_TEST, seed, type TestApp, type TestResponse, type TestSettings } from '../support/app.js';
import { auditProblems, unexplainedRows } from '../support/audit.js';
import { type TakesLine, useOwnApp, useSharedApp } from '../support/use-app.js';

export const PASSWORD = 'correct horse battery';
export type Staff = 'admin' | 'second' | 'support';

export interface Console {
  test: TestApp;
  /** Session tokens: two admins and a support user. */
  staff: Record<Staff, string>;
  /** Creates a user of a developer's account and returns a session. */
  userOf(developerId: DeveloperId, email?: string): Promise<string>;
  /** Creates an account whose submitted KYC is still under review. */
  applicant(name?: string): Promise<DeveloperId>;
  /** Runs one operation on the console host. */
  call(token: string | undefined, query: string, variables?: object): Promise<TestResponse>;
  /** Runs one operation and returns only the codes of its errors. */
  codes(token: string | undefined, query: string, variables?: object): Promise<string[]>;
}

/** Test files of one worker share this module, the application and its users. */
let sequence = 0;

/**
 * A service with staff users: the worker's application with the given settings. Afterwards the ledger must balance and the audit
 * chain must be intact.
 */
export const useConsole = (settings?: Readonly<Record<string, string>>, takes?: TakesLine): Console =>
  consoleOf(useSharedApp(settings, takes));

/** A service with staff users that no other file uses, for files that count rows or need to know all users. */
export const useOwnConsole = (settings?: TestSettings, log?: Logger): Console => consoleOf(useOwnApp(settings, log));

function consoleOf(test: TestApp): Console {
  const console = { test } as Console;
  beforeAll(async () => {
    const { users, sessions, developers } = test.app;
    const session = async (email: string) => (await sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token;
    const person = async (name: Staff, role: 'admin' | 'support') => {
      const email = `${name}@test.example`;
      const [known] = await test.db.query('select id from app_user where email = $1', [email]);
      if (!known) await users.create({ email, name, password: PASSWORD, role }, seed);
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
      userOf: async (developerId: DeveloperId, email = `user-${developerId}-${++sequence}@test.example`) => {
        await users.create({ email, name: 'Someone', password: PASSWORD, role: 'developer', developerId }, seed);
        return session(email);
      },
      applicant: async (name = 'Applicant') => {
        const id = await developers.register({ name, email: `applicant-${++sequence}@test.example` }, seed);
        await developers.markEmailVerified(id, seed);
        await developers.markKycSubmitted(id, seed);
        return id;
      },
      call,
      codes: async (...args: Parameters<Console['call']>) => codesOf(await call(...args)),
    } satisfies Console);
  });
  afterAll(async () => expect(await auditProblems(test.app.pool)).toEqual([]));
  return console;
}

/**
 * For files that write no account rows with SQL: afterwards the audit log must explain every row that the file created or
 * changed.
 */
export function expectExplained({ test }: Console): void {
  let earlier: ReadonlySet<string>;
  beforeAll(async () => void (earlier = new Set(await unexplainedRows(test.app.pool))));
  afterAll(async () => {
    expect((await unexplainedRows(test.app.pool)).filter((line) => !earlier.has(line))).toEqual([]);
  });
}

export const codesOf = ({ body }: TestResponse): string[] =>
  (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);

/** Paths of the invalid fields in an error response. */
export const fieldsOf = ({ body }: TestResponse): string[] =>
  (body.errors ?? []).flatMap(({ extensions }: { extensions: { fields?: { path: string }[] } }) =>
    (extensions.fields ?? []).map(({ path }) => path),
  );
