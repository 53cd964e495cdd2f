import { type GraphQLArgument, type GraphQLInputType, isInputObjectType, isLeafType, isListType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, TestDeveloper } from '../support/app.js';
import { codesOf, fieldsOf, useConsole } from '../console/console.fixture.js';

const TEXT_TYPES = new Set(['String', 'ID', 'Date', 'DateTime', 'CircleCode']);
/** None of them has a UTF-8 form, or a place in PostgreSQL. */
const BAD = { 'half of a surrogate pair': 'a\ud800', 'the other half alone': '\udc00a', NUL: 'a\u0000b' };

const logged: { level: number; msg: string }[] = [];
const note = (level: number) => (...parts: unknown[]) => void logged.push({ level, msg: String(parts.at(-1)) });
const log = { debug() {}, info() {}, warn: note(40), error: note(50), fatal: note(60), child: () => log } as never;
const service = useConsole({ RATE_LIMIT_PER_MINUTE: '10000' }, log);
let developer: TestDeveloper;
let tokens: Record<'uat' | 'production' | 'console', Record<'developer' | 'admin', string>>;

beforeAll(async () => {
  developer = await service.test.developer({ rateLimitPerMinute: 10_000 });
  const person = { developer: await service.userOf(developer.id), admin: service.staff.admin };
  const api = (token: string) => ({ developer: token, admin: token });
  tokens = { uat: api(developer.tokens.uat), production: api(developer.tokens.production), console: person };
});

/** A value of the type with the text everywhere text may stand, and the paths of those places. */
function filled(type: GraphQLInputType, path: string, text: string, paths: string[]): unknown {
  if (isNonNullType(type)) return filled(type.ofType, path, text, paths);
  if (isListType(type)) return [filled(type.ofType, `${path}.0`, text, paths)];
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields()).map((field) => [field.name, filled(field.type, `${path}.${field.name}`, text, paths)]),
    );
  if (isLeafType(type) && TEXT_TYPES.has(type.name)) {
    paths.push(path);
    return text;
  }
  return undefined;
}

interface Call {
  field: string;
  host: 'uat' | 'console';
  kind: 'query' | 'mutation';
  args: readonly GraphQLArgument[];
  leaf: boolean;
}

/** Every root field that takes text, of the hosts' own schemas. */
function callsWithText(): Call[] {
  const { schema } = service.test.app;
  return (['query', 'mutation'] as const).flatMap((kind) => {
    const root = kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!;
    return Object.values(root.getFields()).flatMap((field) => {
      const host = service.test.app.hosts && hostOf(root.name, field.name);
      const paths: string[] = [];
      for (const { name, type } of field.args) filled(type, name, 'x', paths);
      const named = isNonNullType(field.type) ? field.type.ofType : field.type;
      return paths.length === 0 ? [] : [{ field: field.name, host, kind, args: field.args, leaf: isLeafType(named) }];
    });
  });
}
