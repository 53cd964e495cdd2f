import { z } from 'zod';
import { AddressList } from '../core/addresses.js';
import type { ExposureLimit, ExposureLimits } from '../core/exposure-limit.js';
import { rupees } from '../core/money.js';
import { Secret } from '../core/secret.js';
import { itemsOf, msOf, splitPair, UNITS } from './kinds.js';
import type { Kind } from './setting.js';

/** Maximum number of secrets, which are the new and the previous one while the provider changes to the new one. */
const SECRETS_PER_PROVIDER = 2;
/** Secrets by provider, the current one first. */
export const callbackSecrets: Kind<ReadonlyMap<string, readonly Secret[]>> = {
  form: '`provider:secret`, several separated by commas',
  schema: z
    .string()
    .refine(
      (pairs) => pairs.split(',').every((pair) => pair === '' || /^[a-z]+:.{16,}$/.test(pair)),
      'must be provider:secret, several separated by commas, each secret of at least 16 characters',
    )
    .transform((pairs) => {
      const all = pairs.split(',').filter(Boolean).map(splitPair);
      return new Map(
        Map.groupBy(all, ([provider]) => provider)
          .entries()
          .map(([provider, entries]) => [provider, entries.map(([, value]) => new Secret(value))]),
      );
    })
    .refine(
      (secrets) => [...secrets.values()].every(({ length }) => length <= SECRETS_PER_PROVIDER),
      'must have at most two secrets of one provider',
    ),
  secret: true,
};

/** Source addresses of callbacks, by provider. */
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

/**
 * Parses "figure,provider:figure,…": a default and figures of named providers. `none` is the default if the text has no default.
 */
const byProvider = <Figure>(complaint: string, none: Figure, figureOf: (text: string) => Figure | undefined) =>
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

/** Maximum age, below the limit of an interval in PostgreSQL, which is an integer of milliseconds (24 days). */
const MAX_RECHECK_MS = 20 * UNITS.d;
/** Age at which the status of a successful payment is checked again. If 0, it is never checked again. */
export const recheckAfter: Kind<{ otherwiseMs: number; byProvider: ReadonlyMap<string, number> }> = {
  form: 'duration, and `provider:duration` for others',
  schema: byProvider(
    'must be a duration up to 20d, and provider:duration for others, such as 24h,inspay:0',
    0,
    (text) => (msOf(text) <= MAX_RECHECK_MS ? msOf(text) : undefined),
  ).transform(({ otherwise, byProvider: others }) => ({ otherwiseMs: otherwise, byProvider: others })),
};

/** Concurrent calls, by provider. */
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

/** Payments without a final status at which a provider gets no new payments. */
export const exposureLimits: Kind<ExposureLimits> = {
  form: '`payments:rupees`, and `provider:payments:rupees` for others',
  schema: byProvider<ExposureLimit>(
    'must be payments:rupees, 0 for no limit, and provider:payments:rupees for others, such as 2000:10000000,mokshiq:500:2500000',
    { payments: 0, amountPaise: rupees(0) },
    (text) => {
      const [, payments, amount] = /^(\d{1,9})(?::(\d{1,10}))?$/.exec(text) ?? [];
      // a single number does not say which of the two it limits, except 0 for no limit
      if (payments === undefined || (amount === undefined && Number(payments) !== 0)) return undefined;
      return { payments: Number(payments), amountPaise: rupees(Number(amount ?? 0)) };
    },
  ),
};
