import { parametersOf } from '../../../src/rest/path.js';
import type { RestRoute } from '../../../src/rest/route.js';
import { routes } from '../../../src/rest/routes.js';
import { filledPath } from '../../support/paths.js';
import type { FuzzCase, HostName } from '../case.js';
import type { Draw } from './draw.js';
import { headersOf, roughBody } from './envelope.js';
import { validValue } from './valid.js';
import { hostileJson, hostileText, jsonObject } from './values.js';

type Members = [name: string, json: string][];

const apiHosts: readonly HostName[] = ['uat', 'production'];
const TOKEN_PATH = '/api/v1/auth/client-credentials';
/** Excluded because password hashing is deliberately slow. */
const ordinary = routes.filter(({ path }) => path !== TOKEN_PATH);

function validMembers(draw: Draw, route: RestRoute, host: HostName): Members {
  if (route.path === TOKEN_PATH)
    return Object.entries({
      client_id: `{{clientId.${host}}}`,
      api_secret: `{{secret.${host}}}`,
      environment: host,
    }).map(([name, value]) => [name, JSON.stringify(value)]);
  return Object.entries(route.fields).flatMap(([name, { kind, optional, list }]): Members => {
    if (optional && draw.chance(50)) return [];
    const example = route.example[name];
    const value =
      typeof kind === 'object'
        ? (example ??
          (list ? `${draw.of(Object.keys(kind))},${draw.of(Object.keys(kind))}` : draw.of(Object.keys(kind))))
        : draw.chance(30) && example !== undefined && !name.endsWith('id')
          ? example
          : (validValue(draw, name) ?? example ?? 1);
    return [[name, JSON.stringify(value)]];
  });
}

/** A valid call with one defect. */
function withOneDefect(draw: Draw, members: Members): Members {
  const at = draw.below(members.length);
  const member = members[at];
  if (!member || draw.chance(10)) return [...members, [hostileText(draw).slice(0, 200), hostileJson(draw)]];
  switch (draw.below(5)) {
    case 0:
      return members.filter((_, index) => index !== at);
    case 1:
      return [...members, member];
    case 2:
      return members.with(at, [member[0].toUpperCase(), member[1]]);
    default:
      return members.with(at, [member[0], hostileJson(draw)]);
  }
}

const hostileMembers = (draw: Draw, members: Members): Members => members.map(([name]) => [name, hostileJson(draw)]);

/** Query strings that are not only encoded text. */
const rawQueries: readonly string[] = ['%', '%zz', '%00', '%FF', '%ED%A0%80', '%C0%AF', '+', '&&&', '=', '[]', '%2500'];

/** Keeps the placeholders of the stage. */
const placeholdersIn = (text: string): string => text.replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');
const encoded = (text: string): string => placeholdersIn(encodeURIComponent(text.toWellFormed()));

function queryOf(draw: Draw, members: Members, hostile: boolean): string {
  const parts = members.map(([name, json]) => {
    const value: unknown = safeParse(json);
    const text = typeof value === 'string' ? value : json;
    return `${encoded(name)}=${encoded(text.slice(0, 4_000))}`;
  });
  if (hostile && draw.chance(40)) parts.push(`${draw.of(['a', 'from', 'orderid'])}=${draw.of(rawQueries)}`);
  if (hostile && draw.chance(20) && parts[0]) parts.push(parts[0]);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** The path with its parameters: text unchanged, other values as JSON. */
function pathOf(path: string, members: Members): string {
  const text = (json = 'none'): string => {
    const value = safeParse(json);
    return (typeof value === 'string' ? value : json).toWellFormed().slice(0, 200) || 'none';
  };
  const memberValues = Object.fromEntries(members);
  const values = parametersOf(path).map((name): [string, string] => [name, text(memberValues[name])]);
  return placeholdersIn(filledPath(path, Object.fromEntries(values)));
}

function safeParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** A call of one of the routes; `manner` is its distance from a valid call. */
export function restCase(draw: Draw, manner: 'valid' | 'near' | 'hostile' | 'raw'): FuzzCase {
  const host = draw.of(apiHosts);
  const route = draw.chance(3) ? routes.find(({ path }) => path === TOKEN_PATH)! : draw.of(ordinary);
  const valid = validMembers(draw, route, host);
  const requestMembers =
    manner === 'near' ? withOneDefect(draw, valid) : manner === 'hostile' ? hostileMembers(draw, valid) : valid;
  const { method } = route;
  const inPath = parametersOf(route.path);
  const path = pathOf(route.path, requestMembers);
  const members = requestMembers.filter(([name]) => !inPath.includes(name));
  const base = { kind: `REST ${manner}`, host, method };
  if (method !== 'POST')
    return {
      ...base,
      method: method === 'GET' && draw.chance(5) ? 'HEAD' : method,
      path: path + queryOf(draw, members, manner !== 'valid'),
      headers: headersOf(draw, host, false),
    };
  const body = jsonObject(members);
  const headers =
    manner === 'valid'
      ? { 'content-type': 'application/json', authorization: `Bearer {{token.owner-${host}}}` }
      : headersOf(draw, host, true);
  return { ...base, path, headers, ...(manner === 'raw' ? roughBody(draw, body) : { body }) };
}
