import { z } from 'zod';
import { AddressList, type ProxyTrust, proxyTrust } from './address-list.js';
import type { ExposureLimit } from './exposure-limit.js';
import { rupees } from './money.js';
import { type NamedKey, Secret } from './secret.js';

/* How the text of a setting is read. A complaint follows the setting's name and never holds its value. */

export const port = z.coerce.number().int().min(0).max(65_535);
export const positive = z.coerce.number().int().positive();
export const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''));
export const secret = z
  .string()
  .min(16, 'must have at least 16 characters')
  .transform((text) => new Secret(text));
export const optionalSecret = z
  .string()
  .default('')
  .transform((text) => new Secret(text));
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
export const origins = list.pipe(
  z.array(
    z
      .url({ protocol: /^https?$/, error: 'must be origins such as https://app.example' })
      .transform((text) => new URL(text).origin),
  ),
);
export const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('')
  .transform((text) => text === 'true' || text === '1');

export const switchedOn = z
  .enum(['true', 'false', '1', '0'])
  .default('true')
  .transform((text) => text === 'true' || text === '1');

const duration = /^(\d+)(ms|s|m|h)?$/;
const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** "5000", "5s", "3m", "1h" → milliseconds. */
export const durationMs = z
  .string()
  .trim()
  .regex(duration, 'must be a duration such as 5000, 5s, 3m or 1h')
  .transform((text) => {
    const [, amount, unit] = duration.exec(text)!;
    return Number(amount) * unitMs[unit ?? 'ms']!;
  });
/** A timer takes no more than 24 days, and an anchor per second is no use to anybody. */
export const anchorInterval = durationMs.default(5 * 60_000).refine((ms) => ms >= 1_000 && ms <= 86_400_000, {
  error: 'must be a duration from 1s to 24h',
});
export const schedule = z
  .string()
  .default('5s,15s,30s,1m,3m,10m,30m,1h')
  .transform((text) => text.split(','))
  .pipe(z.array(durationMs).min(1));

/** "figure,provider:figure,…": one for all providers, and one of its own for each that is named; `none` where only others are. */
function byProvider<Figure>(
  fallback: string,
  complaint: string,
  none: Figure,
  figureOf: (text: string | undefined) => Figure | undefined,
) {
  return z
    .string()
    .default(fallback)
    .transform((text, context) => {
      let otherwise = none;
      const named = new Map<string, Figure>();
      for (const part of text.split(',')) {
        const [, provider, figure] = /^\s*(?:([a-z]+):)?(\S+)\s*$/.exec(part) ?? [];
        const read = figureOf(figure);
        if (read === undefined) context.addIssue(complaint);
        else if (provider) named.set(provider.toUpperCase(), read);
        else otherwise = read;
      }
      return { otherwise, byProvider: named };
    });
}

/** When a settled payment is asked about once more, by provider; 0: never. */
export interface RecheckAfter {
  otherwiseMs: number;
  byProvider: ReadonlyMap<string, number>;
}

/** PostgreSQL takes an interval as an integer of milliseconds: 24 days. */
const MAX_RECHECK_MS = 20 * 86_400_000;
export const recheckAfter = byProvider(
  '24h',
  'must be a duration up to 480h, and provider:duration for others, such as 24h,inspay:0',
  0,
  (text) => {
    const ms = durationMs.safeParse(text).data;
    return ms !== undefined && ms <= MAX_RECHECK_MS ? ms : undefined;
  },
).transform(({ otherwise, byProvider: others }): RecheckAfter => ({ otherwiseMs: otherwise, byProvider: others }));

/** "2000:10000000": payments and rupees. */
const exposureOf = (text: string | undefined): ExposureLimit | undefined => {
  const [, payments, amount] = /^(\d{1,9})(?::(\d{1,10}))?$/.exec(text ?? '') ?? [];
  // a number alone would leave open which of the two it limits; 0 is none of both
  if (payments === undefined || (amount === undefined && Number(payments) !== 0)) return undefined;
  return { payments: Number(payments), amountPaise: rupees(Number(amount ?? 0)) };
};
export const exposureLimits = byProvider<ExposureLimit>(
  '2000:10000000',
  'must be payments:rupees, 0 for no limit, and provider:payments:rupees for others, such as 2000:10000000,mokshiq:500:2500000',
  { payments: 0, amountPaise: rupees(0) },
  exposureOf,
);

export const namedKeys = z
  .string()
  .regex(
    /^[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+(,[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+)*$/,
    'must be id:base64key, several separated by commas',
  )
  .transform((text): NamedKey[] =>
    text
      .split(',')
      .map((pair) => ({ id: pair.slice(0, pair.indexOf(':')), key: new Secret(pair.slice(pair.indexOf(':') + 1)) })),
  );

/** A new one and the one before it, while the provider is moved from one to the other. */
const SECRETS_PER_PROVIDER = 2;
export const callbackSecrets = z
  .string()
  .default('')
  .refine(
    (text) => text.split(',').every((pair) => pair === '' || /^[a-z]+:.{16,}$/.test(pair)),
    'must be provider:secret, several separated by commas, each secret of at least 16 characters',
  )
  .transform((text) => {
    const secrets = new Map<string, Secret[]>();
    for (const pair of text.split(',').filter(Boolean)) {
      const provider = pair.slice(0, pair.indexOf(':'));
      secrets.set(provider, [...(secrets.get(provider) ?? []), new Secret(pair.slice(provider.length + 1))]);
    }
    return secrets;
  })
  .refine(
    (secrets) => [...secrets.values()].every(({ length }) => length <= SECRETS_PER_PROVIDER),
    'must have at most two secrets of one provider',
  );

export const trustProxy = z
  .string()
  .default('')
  .transform((text, context): ProxyTrust | undefined => {
    try {
      return proxyTrust(text);
    } catch (error) {
      context.addIssue((error as Error).message);
      return undefined;
    }
  });

export const callbackAddresses = z
  .string()
  .default('')
  .transform((text, context): ReadonlyMap<string, AddressList> => {
    const lists = new Map<string, AddressList>();
    for (const part of text.split(',').filter(Boolean)) {
      const [, provider, entries] = /^([a-z]+):(.+)$/.exec(part.trim()) ?? [];
      try {
        lists.set(provider!, new AddressList(entries!.split('|')));
      } catch {
        context.addIssue('must be provider:address|network, several providers separated by commas');
      }
    }
    return lists;
  });

export const mailFrom = z
  .string()
  .regex(/^(?:[\w .-]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'must be an address, or a name and <address>');
