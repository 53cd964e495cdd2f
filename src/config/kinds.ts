import { z } from 'zod';
import { AddressList, type ProxyTrust, proxyTrust } from '../core/addresses.js';
import type { ExposureLimit, ExposureLimits } from '../core/exposure-limit.js';
import { type Paise, rupees } from '../core/money.js';
import { type NamedKey, Secret } from '../core/secret.js';
import type { Kind } from './setting.js';

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

export const text: Kind<string> = { form: 'text', schema: z.string() };

export const oneOf = <Word extends string>(...words: readonly Word[]): Kind<Word> => ({
  form: words.map((word) => `\`${word}\``).join(', '),
  schema: z.enum(words, { error: `must be one of ${words.join(', ')}` }),
});

/** `all`, `none`, or some of the words, separated by commas. */
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

export const whole = (least: number, most = 1_000_000_000): Kind<number> => ({
  form: 'number',
  schema: z
    .string()
    .refine((digits) => /^\d{1,10}$/.test(digits) && Number(digits) >= least && Number(digits) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number),
});

export const port: Kind<number> = { ...whole(0, 65_535), form: 'port' };
export const portOrNone: Kind<number | undefined> = {
  form: 'port',
  schema: z
    .string()
    .transform((digits) => digits || undefined)
    .pipe(port.schema.optional()),
};

export const wholeRupees = (least: number): Kind<Paise> => ({
  form: 'rupees',
  schema: whole(least).schema.transform(rupees),
});

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_NAMES = { ms: 'milliseconds', s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const;

type Unit = keyof typeof UNITS;

/** "90s", "15m", "1h", "30d" → milliseconds; a number alone counts `plain`. NaN when it is nothing of that. */
function msOf(length: string, plain: Unit = 'ms'): number {
  const [, amount, unit = plain] = /^\s*(\d{1,12})(ms|s|m|h|d)?\s*$/.exec(length) ?? [];
  return Number(amount) * UNITS[unit as Unit];
}

/**
 * @param as the unit that the variable's name ends with and that the code gets: of it a number alone counts, and the duration must
 * be a whole number. A timer takes no more than 24 days.
 */
export function duration({ as = 'ms', from = '1ms', to = '24d' }: { as?: Unit; from?: string; to?: string } = {}) {
  const [least, most, unit] = [msOf(from), msOf(to), UNITS[as]];
  return {
    form: as === 'ms' ? 'duration' : `duration in whole ${UNIT_NAMES[as]}`,
    schema: z
      .string()
      .transform((length) => msOf(length, as))
      .refine((ms) => ms >= least && ms <= most && ms % unit === 0, {
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
  // nobody listens there
  placeholder: 'http://127.0.0.1:9',
};

/** Undefined: there is none. */
export const urlOrNone: Kind<string | undefined> = {
  form: 'URL',
  schema: z
    .string()
    .transform((address) => address || undefined)
    .pipe(url.schema.optional()),
};

/** Where people write or call, as the URIs of RFC 9116. Undecoded, so that no line of a text is added by one. */
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

export const origins: Kind<string[]> = {
  form: 'origins',
  schema: z
    .string()
    .transform(itemsOf)
    .pipe(
      z.array(
        z
          .url({ protocol: /^https?$/, error: 'must be origins such as https://app.example' })
          .transform((origin) => new URL(origin).origin),
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

export const mailFrom: Kind<string> = {
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

/** Of somebody else's choice, so of any length. */
export const credential: Kind<Secret> = {
  form: 'secret',
  schema: z.string().transform((value) => new Secret(value)),
  secret: true,
};

/** "id:value" → both, at the first colon. */
const parted = (pair: string): [string, string] => {
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
    .transform((pairs) => pairs.split(',').map((pair) => ({ id: parted(pair)[0], key: new Secret(parted(pair)[1]) }))),
  secret: true,
  placeholder: `none:${Buffer.alloc(32).toString('base64')}`,
};

/** A new one and the one before it, while the provider is moved from one to the other. */
const SECRETS_PER_PROVIDER = 2;
/** By provider, the current one first. */
export const callbackSecrets: Kind<ReadonlyMap<string, readonly Secret[]>> = {
  form: '`provider:secret`, several separated by commas',
  schema: z
    .string()
    .refine(
      (pairs) => pairs.split(',').every((pair) => pair === '' || /^[a-z]+:.{16,}$/.test(pair)),
      'must be provider:secret, several separated by commas, each secret of at least 16 characters',
    )
    .transform((pairs) => {
      const all = pairs.split(',').filter(Boolean).map(parted);
      return new Map(
        Map.groupBy(all, ([provider]) => provider)
          .entries()
          .map(([provider, own]) => [provider, own.map(([, value]) => new Secret(value))]),
      );
    })
    .refine(
      (secrets) => [...secrets.values()].every(({ length }) => length <= SECRETS_PER_PROVIDER),
      'must have at most two secrets of one provider',
    ),
  secret: true,
};

/** By provider. */
export const callbackAddresses: Kind<ReadonlyMap<string, AddressList>> = {
  form: '`provider:address|network`, several separated by commas',
  schema: z.string().transform((parts, context) => {
    const lists = new Map<string, AddressList>();
    for (const part of itemsOf(parts)) {
      const [, provider, entries] = /^([a-z]+):(.+)$/.exec(part) ?? [];
      try {
        lists.set(provider!, new AddressList(entries!.split('|')));
      } catch {
        context.addIssue('must be provider:address|network, several providers separated by commas');
      }
    }
    return lists;
  }),
};

/** Undefined: clients connect themselves. */
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

/** "figure,provider:figure,…": one for all providers, and one of its own for each that is named; `none` where only others are. */
const byProvider = <Figure>(complaint: string, none: Figure, figureOf: (one: string) => Figure | undefined) =>
  z.string().transform((parts, context) => {
    let otherwise = none;
    const named = new Map<string, Figure>();
    for (const part of parts.split(',')) {
      const [, provider, figure = ''] = /^\s*(?:([a-z]+):)?(\S+)\s*$/.exec(part) ?? [];
      const read = figureOf(figure);
      if (read === undefined) context.addIssue(complaint);
      else if (provider) named.set(provider.toUpperCase(), read);
      else otherwise = read;
    }
    return { otherwise, byProvider: named as ReadonlyMap<string, Figure> };
  });

/** PostgreSQL takes an interval as an integer of milliseconds: 24 days. */
const MAX_RECHECK_MS = 20 * UNITS.d;
/** When a settled payment is asked about once more; 0: never. */
export const recheckAfter: Kind<{ otherwiseMs: number; byProvider: ReadonlyMap<string, number> }> = {
  form: 'duration, and `provider:duration` for others',
  schema: byProvider(
    'must be a duration up to 20d, and provider:duration for others, such as 24h,inspay:0',
    0,
    (one) => (msOf(one) <= MAX_RECHECK_MS ? msOf(one) : undefined),
  ).transform(({ otherwise, byProvider: others }) => ({ otherwiseMs: otherwise, byProvider: others })),
};

/** By provider. */
export const concurrencyLimits: Kind<ReadonlyMap<string, number>> = {
  form: '`provider:calls`, several separated by commas',
  schema: z.string().transform((parts, context) => {
    const limits = new Map<string, number>();
    for (const part of itemsOf(parts)) {
      const [, provider, calls] = /^([a-z]+):([1-9]\d{0,4})$/.exec(part) ?? [];
      if (provider === undefined || limits.has(provider.toUpperCase()))
        context.addIssue(
          'must be provider:calls, several providers separated by commas, such as roundpay:50,mokshiq:20',
        );
      else limits.set(provider.toUpperCase(), Number(calls));
    }
    return limits;
  }),
};

/** What may be undecided with a provider before it gets no new payments. */
export const exposureLimits: Kind<ExposureLimits> = {
  form: '`payments:rupees`, and `provider:payments:rupees` for others',
  schema: byProvider<ExposureLimit>(
    'must be payments:rupees, 0 for no limit, and provider:payments:rupees for others, such as 2000:10000000,mokshiq:500:2500000',
    { payments: 0, amountPaise: rupees(0) },
    (one) => {
      const [, payments, amount] = /^(\d{1,9})(?::(\d{1,10}))?$/.exec(one) ?? [];
      // a number alone would leave open which of the two it limits; 0 is none of both
      if (payments === undefined || (amount === undefined && Number(payments) !== 0)) return undefined;
      return { payments: Number(payments), amountPaise: rupees(Number(amount ?? 0)) };
    },
  ),
};
