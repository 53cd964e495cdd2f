import { z } from 'zod';
import { isAddressList, LOOPBACK_ORIGINS, type OriginPattern, type ProxyTrust, proxyTrust } from '../core/addresses.js';
import { type Paise, rupees } from '../core/money.js';
import { type NamedKey, Secret } from '../core/secret.js';
import type { Kind } from './setting.js';

export const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const text: Kind<string> = { form: 'text', schema: z.string() };

export const oneOf = <Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  form: words.map((word) => `\`${word}\``).join(', '),
  schema: z.enum(words, { error: `must be one of ${words.join(', ')}` }),
});

/** Accepts `all`, `none`, or some of the words, separated by commas. */
export const someOf = <Word extends string>(words: readonly Word[]): Kind<ReadonlySet<Word>> => ({
  form: `\`all\`, \`none\`, or of ${words.map((word) => `\`${word}\``).join(', ')}`,
  schema: z.string().transform((list, context) => {
    const named = itemsOf(list);
    if (named.length === 1 && named[0] === 'all') return new Set(words);
    if (named.length === 1 && named[0] === 'none') return new Set<Word>();
    const known = words.filter((word) => named.includes(word));
    if (named.length === 0 || known.length !== new Set(named).size)
      context.addIssue(`must be all, none, or of ${words.join(', ')}, separated by commas`);
    return new Set(known);
  }),
});

export const flag: Kind<boolean> = {
  form: '`true` or `false`',
  schema: z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((word) => word === 'true' || word === '1'),
};

export const wholeNumber = (min: number, max = 1_000_000_000): Kind<number> => ({
  form: 'number',
  schema: z
    .string()
    .refine((digits) => /^\d{1,10}$/.test(digits) && Number(digits) >= min && Number(digits) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number),
});

export const port: Kind<number> = { ...wholeNumber(0, 65_535), form: 'port' };
export const portOrNone: Kind<number | undefined> = {
  form: 'port',
  schema: z
    .string()
    .transform((digits) => digits || undefined)
    .pipe(port.schema.optional()),
};

export const wholeRupees = (min: number): Kind<Paise> => ({
  form: 'rupees',
  schema: wholeNumber(min).schema.transform(rupees),
});

export const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_NAMES = { ms: 'milliseconds', s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;

type Unit = keyof typeof UNITS;

/**
 * Converts "90s", "15m", "1h" or "30d" to milliseconds. A number without a unit is in `plain`. Returns NaN if the text is not a
 * duration.
 */
export function msOf(length: string, plain: Unit = 'ms'): number {
  const [, amount, unit = plain] = /^\s*(\d{1,12})(ms|s|m|h|d)?\s*$/.exec(length) ?? [];
  return Number(amount) * UNITS[unit as Unit];
}

/**
 * Accepts a duration.
 * @param as unit at the end of the variable's name and of the parsed value. A number without a unit is in this unit, and the
 * duration must be a whole number of it. Timers are limited to 24 days.
 */
export function duration({ as = 'ms', from = '1ms', to = '24d' }: { as?: Unit; from?: string; to?: string } = {}) {
  const [min, max, unit] = [msOf(from), msOf(to), UNITS[as]];
  return {
    form: as === 'ms' ? 'duration' : `duration in whole ${UNIT_NAMES[as]}`,
    schema: z
      .string()
      .transform((length) => msOf(length, as))
      .refine((ms) => ms >= min && ms <= max && ms % unit === 0, {
        error: `must be a duration from ${from} to ${to}, ${as === 'ms' ? 'such as 5000, 90s, 15m or 24h' : `in whole ${UNIT_NAMES[as]}`}`,
      })
      .transform((ms) => ms / unit),
  } satisfies Kind<number>;
}

export const durations: Kind<number[]> = {
  form: 'durations',
  schema: z
    .string()
    .transform((list) => list.split(',').map((length) => msOf(length)))
    .refine((all) => all.every((ms) => ms <= UNITS.d), {
      error: 'must be durations of up to 24h, separated by commas, such as 5s,15s,1m',
    }),
};

export const url: Kind<string> = {
  form: 'URL',
  schema: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((address) => address.replace(/\/$/, '')),
  // no process listens on this port
  placeholder: 'http://127.0.0.1:9',
};

/** URL, or undefined if the setting is not set. */
export const urlOrNone: Kind<string | undefined> = {
  form: 'URL',
  schema: z
    .string()
    .transform((address) => address || undefined)
    .pipe(url.schema.optional()),
};

/** Contact URIs of RFC 9116. They are not decoded, so that none can add a line to the text. */
export const contacts: Kind<string[]> = {
  form: 'addresses',
  schema: z
    .string()
    .transform(itemsOf)
    .pipe(
      z.array(
        z.string().regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+|tel:\+?[0-9-]+)$/, {
          error: 'must be addresses such as mailto:security@shop.example, https://… or tel:+91…',
        }),
      ),
    ),
};

export const networks: Kind<string[]> = {
  form: 'IP addresses and networks',
  schema: z
    .string()
    .transform(itemsOf)
    .refine(isAddressList, 'must be addresses and networks such as 203.0.113.7 or 203.0.113.0/24'),
};

const origin = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) =>
      input === 'loopback'
        ? 'must not be loopback, which is accepted only for UAT'
        : 'must be origins such as https://app.example',
  })
  .transform((address) => new URL(address).origin);

export const origins: Kind<OriginPattern[]> = {
  form: 'origins',
  schema: z.string().transform(itemsOf).pipe(z.array(origin)),
};

/** List of origins. `loopback` allows every origin of this machine. */
export const originsOrLoopback: Kind<OriginPattern[]> = {
  form: 'origins, `loopback`',
  schema: z
    .string()
    .transform(itemsOf)
    .pipe(
      z.array(
        z.union([z.literal('loopback').transform(() => LOOPBACK_ORIGINS), origin], {
          error: 'must be origins such as https://app.example, or loopback',
        }),
      ),
    ),
};

export const databaseUrl: Kind<string> = {
  form: 'URL',
  schema: z.url({
    protocol: /^postgres(ql)?$/,
    error: 'must be a URL such as postgresql://user:password@host/database',
  }),
  secret: true,
  placeholder: 'postgresql://nobody@127.0.0.1:9/none',
};

export const databaseUrlOrNone: Kind<string | undefined> = {
  form: 'URL',
  schema: z
    .string()
    .transform((address) => address || undefined)
    .pipe(databaseUrl.schema.optional()),
  secret: true,
};

export const smtpUrl: Kind<Secret | undefined> = {
  form: 'URL',
  schema: z
    .string()
    .refine((address) => address === '' || /^smtps?:\/\/\S+$/.test(address), 'must be smtp://… or smtps://…')
    .transform((address) => (address === '' ? undefined : new Secret(address))),
  secret: true,
};

export const redisUrl: Kind<Secret | undefined> = {
  form: 'URL',
  schema: z
    .string()
    .refine((address) => address === '' || /^rediss?:\/\/\S+$/.test(address), 'must be redis://… or rediss://…')
    .transform((address) => (address === '' ? undefined : new Secret(address))),
  secret: true,
};

export const emailFrom: Kind<string> = {
  form: 'address',
  schema: z
    .string()
    .regex(/^(?:[\w .-]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or a name and <address>'),
};

export const secret: Kind<Secret> = {
  form: 'secret',
  schema: z
    .string()
    .min(16, 'must have at least 16 characters')
    .transform((value) => new Secret(value)),
  secret: true,
  placeholder: 'nothing is protected by this',
};

/** Credential issued by another company, so its length is not checked. */
export const credential: Kind<Secret> = {
  form: 'secret',
  schema: z.string().transform((value) => new Secret(value)),
  secret: true,
};

/** Splits "id:value" at the first colon. */
export const splitPair = (pair: string): [string, string] => {
  const colon = pair.indexOf(':');
  return [pair.slice(0, colon), pair.slice(colon + 1)];
};

export const namedKeys: Kind<NamedKey[]> = {
  form: '`id:base64` of 32 bytes, several separated by commas',
  schema: z
    .string()
    .regex(
      /^[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+(,[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+)*$/,
      'must be id:base64key, several separated by commas',
    )
    .transform((pairs) =>
      pairs.split(',').map((pair) => ({ id: splitPair(pair)[0], key: new Secret(splitPair(pair)[1]) })),
    ),
  secret: true,
  placeholder: `none:${Buffer.alloc(32).toString('base64')}`,
};

/** Trusted proxies. They are undefined if clients connect without a proxy. */
export const trustedProxies: Kind<ProxyTrust | undefined> = {
  form: 'number of proxies, or their addresses and networks',
  schema: z.string().transform((proxies, context) => {
    try {
      return proxyTrust(proxies);
    } catch (error) {
      context.addIssue((error as Error).message);
      return undefined;
    }
  }),
};
