import { afterAll, beforeAll, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { type Answer, FROM_TEST, seed, type TestApp, type TestSettings } from '../support/app.js';
import { auditProblems, unexplained } from '../support/audit.js';
import { type TakesLine, useOwnApp, useSharedApp } from '../support/use-app.js';

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

/** Files of one worker share this module, and an application with its users. */
let made = 0;

/** A service with staff: the worker's application with these settings. In the end the books are right and the audit chain is whole. */
export const useConsole = (settings?: Readonly<Record<string, string>>, takes?: TakesLine): Console =>
  consoleOf(useSharedApp(settings, takes));

/** A service with staff that no other file uses: for files that count what there is, or need to know everybody. */
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
  afterAll(async () => expect(await auditProblems(test.app.pool)).toEqual([]));
  return console;
}

/** For files that write no row of accounts by themselves: in the end the audit log explains every row that the file made or changed. */
export function expectExplained({ test }: Console): void {
  let earlier: ReadonlySet<string>;
  beforeAll(async () => void (earlier = new Set(await unexplained(test.app.pool))));
  afterAll(async () => {
    expect((await unexplained(test.app.pool)).filter((line) => !earlier.has(line))).toEqual([]);
  });
}

export const codesOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);

/** The wrong fields of a refusal, by path. */
export const fieldsOf = ({ body }: Answer): string[] =>
  (body.errors ?? []).flatMap(({ extensions }: { extensions: { fields?: { path: string }[] } }) =>
    (extensions.fields ?? []).map(({ path }) => path),
  );
