import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveOptions } from '../../src/config/serve-options.js';
import { loadConfig, loadServeConfig, offlineConfig, unreadIn, withSecretFiles } from '../../src/config.js';
import { testEnvironment } from '../support/app.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const environment = () => testEnvironment('postgresql://db/x', 'http://simulator', [1, 2, 3]);
const load = (settings: Record<string, string | undefined>) => loadConfig({ ...environment(), ...settings });
const problemsOf = (settings: Record<string, string | undefined>): string => {
  try {
    load(settings);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

it('webhooks are retried for about 48 hours, and for less time than it takes to disable their endpoint', () => {
  const byDefault = Object.fromEntries(
    ['WEBHOOK_RETRIES', 'WEBHOOK_RETRY_DELAY_S', 'WEBHOOK_RETRY_DELAY_MAX_S'].map((name) => [name, undefined]),
  );
  const { retries, delayS, delayMaxS, disableAfterMs } = load(byDefault).webhooks;
  // pg-boss multiplies each pause by a random factor from 1 to 2
  const hours = (factor: number): number =>
    Array.from({ length: retries }, (_, n) => Math.min(delayMaxS, delayS * 2 ** n * factor)).reduce((a, b) => a + b) /
    3_600;
  expect([Math.round(hours(1)), Math.round(hours(1.5)), Math.round(hours(2))]).toEqual([46, 48, 50]);
  expect(hours(2)).toBeLessThan(disableAfterMs / 3_600_000);
});

describe('rejects settings that conflict with a sentence that names both', () => {
  it('a status check window that ends before that of the provider', () => {
    const window = (syncWindowMs: number) =>
      load({ PROVIDER_TIMEOUT_MS: '2000', SYNC_WINDOW_MS: String(syncWindowMs) });
    expect(() => window(2_499)).toThrow(/^ {2}SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS \+ 500ms, /m);
    expect(window(2_500).syncWindowMs).toBe(2_500);
    // with only one of the settings set
    const { SYNC_WINDOW_MS: _, ...unset } = environment();
    expect(() => loadConfig({ ...unset, PROVIDER_TIMEOUT_MS: '25000', VISIBILITY_DELAY_MS: '15m' })).toThrow(
      /^ {2}SYNC_WINDOW_MS: must be at least/m,
    );
  });

  it('a visibility delay that ends while an order is still being sent', () => {
    const delay = (visibilityDelayMs: number) =>
      load({ PROVIDER_TIMEOUT_MS: '2000', LEASE_MARGIN_MS: '1000', VISIBILITY_DELAY_MS: String(visibilityDelayMs) });
    expect(() => delay(3_000)).toThrow(
      /^ {2}VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS \+ LEASE_MARGIN_MS, /m,
    );
    expect(delay(3_001).visibilityDelayMs).toBe(3_001);
  });

  it('more workers for checks of the books than connections', () => {
    const workers = (count: string) => load({ CONSOLE_POOL_SIZE: '3', LEDGER_CHECK_WORKERS: count });
    expect(() => workers('4')).toThrow(/^ {2}LEDGER_CHECK_WORKERS: must be at most CONSOLE_POOL_SIZE, /m);
    expect(workers('3').ledgerCheck).toEqual({ workers: 3, share: 20 });
    expect(() => workers('0')).toThrow(/^ {2}LEDGER_CHECK_WORKERS: must be a whole number from 1 to 16$/m);
    expect(() => load({ LEDGER_CHECK_SHARE: '101' })).toThrow(
      /^ {2}LEDGER_CHECK_SHARE: must be a whole number from 1 to 100$/m,
    );
  });
});

it.each([
  ['EXPOSURE_LIMIT', '0,mokshik:2:0'],
  ['PROVIDER_CONCURRENCY', 'roundpay:5,mokshik:2'],
  ['RECHECK_AFTER_MS', '24h,inspey:0'],
  ['CALLBACK_SECRETS', 'roundpai:a secret that is long enough'],
  ['CALLBACK_ADDRESSES', 'roundpai:203.0.113.7'],
])('%s must not name a provider that does not exist', (variable, value) => {
  expect(problemsOf({ [variable]: value })).toContain(`${variable}: unknown provider. Use roundpay`);
});

it('source addresses of webhooks are IP addresses and networks', () => {
  const { webhooks } = load({ WEBHOOK_SOURCE_ADDRESSES: '203.0.113.7, 2001:db8::/32' });
  expect(webhooks.sourceAddresses).toEqual(['203.0.113.7', '2001:db8::/32']);
  for (const wrong of ['hooks.example', '203.0.113.0/33', '203.0.113.7/'])
    expect(problemsOf({ WEBHOOK_SOURCE_ADDRESSES: wrong })).toContain(
      'WEBHOOK_SOURCE_ADDRESSES: must be addresses and networks such as 203.0.113.7 or 203.0.113.0/24',
    );
});

describe('a duration', () => {
  it.each([
    ['5000', 5_000],
    ['700ms', 700],
    ['5s', 5_000],
    ['3m', 180_000],
    ['1h', 3_600_000],
    ['2d', 172_800_000],
  ])('is %s in every setting with a duration', (text, ms) => {
    expect(load({ POLL_INTERVAL_MS: text }).pollIntervalMs).toBe(ms);
    expect(load({ REQUEST_TIMEOUT_MS: text }).traffic.requestTimeoutMs).toBe(ms);
    expect(load({ MANUAL_REVIEW_AFTER_MS: text }).manualReviewAfterMs).toBe(ms);
    expect(load({ RECHECK_AFTER_MS: `24h,inspay:${text}` }).recheckAfter.byProvider.get('INSPAY')).toBe(ms);
    expect(load({ SYNC_WINDOW_MS: '5m', PROVIDER_TIMEOUT_MS: '100', VISIBILITY_DELAY_MS: '5m' }).syncWindowMs).toBe(
      300_000,
    );
  });

  it('is converted to the unit of the code, and must be a whole number of this unit', () => {
    const { tokens, staffIdleMinutes, webhooks } = load({
      TOKEN_IDLE_DAYS: '48h',
      TOKEN_MAX_DAYS: '365d',
      STAFF_IDLE_MINUTES: '2h',
      WEBHOOK_RETRY_DELAY_S: '2m',
      WEBHOOK_RETRY_DELAY_MAX_S: '5000ms',
    });
    expect([tokens.tokenIdleDays, tokens.tokenMaxDays, staffIdleMinutes]).toEqual([2, 365, 120]);
    expect([webhooks.delayS, webhooks.delayMaxS]).toEqual([120, 5]);
    for (const text of ['36h', '3651d', '0', '1ms'])
      expect(problemsOf({ TOKEN_IDLE_DAYS: text })).toMatch(
        /^ {2}TOKEN_IDLE_DAYS: must be a duration from 1d to 3650d, in whole days/m,
      );
    expect(problemsOf({ WEBHOOK_RETRY_DELAY_S: '1500ms' })).toContain('WEBHOOK_RETRY_DELAY_S: must be a duration');
  });

  it.each(['soon', '5 weeks', '-5s', '1.5s', '0', '25d', '1e3'])('is not %s', (text) => {
    const problem = problemsOf({ POLL_INTERVAL_MS: text });
    expect(problem).toContain('  POLL_INTERVAL_MS: must be a duration from 1ms to 24d');
    if (text !== '0') expect(problem).not.toContain(text);
  });
});

it.each([
  'security@shop.example',
  'http://shop.example',
  'mailto:',
  'mailto:a@b.example\nExpires: 2000-01-01T00:00:00Z',
])('rejects %j as SECURITY_CONTACT', (text) => {
  const problem = problemsOf({ SECURITY_CONTACT: text });
  expect(problem).toContain('  SECURITY_CONTACT: must be addresses such as mailto:security@shop.example');
  expect(problem).not.toContain('2000');
});

describe('a secret', () => {
  let directory: string;
  beforeAll(() => {
    directory = temporaryDirectory();
  });
  const fileOf = (name: string, content: string): string => {
    const file = path.join(directory, name);
    writeFileSync(file, content);
    return file;
  };
  const PEPPER = 'a pepper out of a file';

  it('is read from the file in its _FILE variable, without the newline at its end', () => {
    for (const [name, end] of [
      ['none', ''],
      ['lf', '\n'],
      ['crlf', '\r\n'],
    ] as const) {
      const { pepper } = load({ SECRET_PEPPER: undefined, SECRET_PEPPER_FILE: fileOf(name, `${PEPPER}${end}`) });
      expect(pepper.reveal()).toBe(PEPPER);
    }
    // an empty variable, which a compose file can set, is not set
    const { pepper } = load({ SECRET_PEPPER: '', SECRET_PEPPER_FILE: fileOf('empty', PEPPER) });
    expect(pepper.reveal()).toBe(PEPPER);
  });

  it('can come from a file for every setting that is a secret', () => {
    const key = `new:${Buffer.alloc(32, 1).toString('base64')}`;
    const values = {
      DATABASE_URL: 'postgresql://in-a-file/db',
      ENCRYPTION_KEYS: key,
      AUDIT_KEYS: key,
      SECRET_PEPPER: PEPPER,
      REFERENCE_SECRET: PEPPER,
      CALLBACK_SECRETS: `roundpay:${PEPPER}`,
      SMTP_URL: 'smtps://user:password@host',
      PROVIDER_ROUNDPAY_TOKEN: 'r',
      PROVIDER_MOKSHIQ_TOKEN: 'm',
      PROVIDER_MOKSHIQ_PIN: 'p',
      PROVIDER_EKYCHUB_TOKEN: 'e',
      PROVIDER_INSPAY_TOKEN: 'i',
      PROVIDER_BANKSATHI_API_KEY: 'b',
      PROVIDER_BANKSATHI_IV: 'v',
    };
    const files = Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileOf(name, `${value}\n`)]);
    const unset = Object.keys(values).map((name) => [name, undefined]);
    const input = { ...environment(), ...Object.fromEntries([...unset, ...files]) };
    expect(withSecretFiles(input)).toMatchObject(values);
    const {
      databaseUrl,
      mail,
      providers: { roundpay, banksathi },
    } = loadConfig(input);
    expect(databaseUrl).toBe(values.DATABASE_URL);
    expect(mail.smtpUrl!.reveal()).toBe(values.SMTP_URL);
    expect([roundpay.token.reveal(), banksathi.iv.reveal()]).toEqual(['r', 'v']);
  });

  it('is rejected if it is set in both ways', () => {
    const both = { SECRET_PEPPER_FILE: fileOf('both', PEPPER), SECRET_PEPPER: 'another pepper of tests' };
    expect(problemsOf(both)).toBe(
      'Invalid settings:\n  SECRET_PEPPER_FILE: must not be set together with SECRET_PEPPER',
    );
  });

  it('is rejected if its file cannot be read, by its name only, without the path, the content or a second error', () => {
    const wrong = {
      SECRET_PEPPER_FILE: path.join(directory, 'missing'),
      REFERENCE_SECRET_FILE: directory,
      SMTP_URL_FILE: fileOf('blank', '\n'),
      AUDIT_KEYS_FILE: fileOf('wrong', 'not a key at all'),
      SECRET_PEPPER: '',
      REFERENCE_SECRET: '',
      AUDIT_KEYS: '',
    };
    expect(problemsOf(wrong).split('\n').slice(1).toSorted()).toEqual([
      '  AUDIT_KEYS: must be id:base64key, several separated by commas',
      '  REFERENCE_SECRET_FILE: names a file that cannot be read (EISDIR)',
      '  SECRET_PEPPER_FILE: names a file that cannot be read (ENOENT)',
      '  SMTP_URL_FILE: names a file that is empty',
    ]);
    expect(() => withSecretFiles(wrong)).toThrow('SECRET_PEPPER_FILE: names a file that cannot be read (ENOENT)');
  });
});

describe('an unknown variable', () => {
  it.each([
    ['PAUSE_ORDER', 'PAUSE_ORDERS'],
    ['EXPOSURE_LIMITS', 'EXPOSURE_LIMIT'],
    ['RECHEK_AFTER_MS', 'RECHECK_AFTER_MS'],
    ['TOKEN_MAX_DAY', 'TOKEN_MAX_DAYS'],
    ['MANUAL_REVIEW_AFTER', 'MANUAL_REVIEW_AFTER_MS'],
    ['TRUST_PROXY_FILE', 'TRUST_PROXY'],
  ])('%s is rejected with a suggestion of %s', (name, suggestion) => {
    expect(problemsOf({ [name]: 'a value' })).toBe(
      `Invalid settings:\n  ${name}: unknown setting. Did you mean ${suggestion}?`,
    );
  });

  it('is ignored if the similar setting is set too, if it is empty, or if the names are short', () => {
    const unrelated = {
      DATABASE_URI: 'x',
      HOLD_ORDER: '',
      HOME: '/root',
      LOGLEVEL: 'debug',
      APP_PORT: '1',
      PATH: '/bin',
    };
    expect(problemsOf(unrelated)).toBe('');
    expect(unreadIn({ ...environment(), ...unrelated })).toEqual([]);
  });

  it('is reported in a warning if its prefix is one of ours, unless a platform sets it to locate a service', () => {
    const unknownSettings = { PROVIDER_PAYX_URL: 'x', WEBHOOK_COLOUR: 'x', CALLBACK_SECRET_ROUNDPAY: 'x' };
    const platform = {
      WEBHOOK_SERVICE_HOST: '10.0.0.1',
      WEBHOOK_SERVICE_PORT: '80',
      WEBHOOK_PORT: 'tcp://10.0.0.1:80',
      WEBHOOK_PORT_80_TCP_ADDR: '10.0.0.1',
    };
    expect(problemsOf({ ...unknownSettings, ...platform })).toBe('');
    expect(unreadIn({ ...environment(), ...unknownSettings, ...platform })).toEqual(Object.keys(unknownSettings));
  });
});

describe('defaults', () => {
  it('apply to empty values too', () => {
    const { exposureLimits, recheckAfter, callbackQuerySecret, pauseOrders } = load({
      EXPOSURE_LIMIT: '',
      RECHECK_AFTER_MS: '',
      CALLBACK_QUERY_SECRET: '',
      PAUSE_ORDERS: '',
    });
    expect(exposureLimits.otherwise.payments).toBe(2_000);
    expect(recheckAfter.otherwiseMs).toBe(86_400_000);
    expect([callbackQuerySecret, pauseOrders]).toEqual([true, false]);
    expect(problemsOf({ DATABASE_URL: '' })).toContain('  DATABASE_URL: is required');
  });

  it('follow the settings that they are derived from', () => {
    const { publicUrls, mail, audit, providers } = load({
      HOST: '10.0.0.1',
      DATA_DIR: '/data',
      PUBLIC_URL_CONSOLE: 'https://console.example/',
      PROVIDER_ROUNDPAY_URL: 'https://roundpay.example',
      AUDIT_ANCHOR_FILE: '',
      MAILBOX_DIR: '',
    });
    expect(publicUrls).toEqual({
      uat: 'http://10.0.0.1:1',
      production: 'http://10.0.0.1:2',
      console: 'https://console.example',
    });
    expect([mail.mailboxDir, audit.anchorFile]).toEqual(['/data/mailbox', '/data/audit-anchors.jsonl']);
    expect(providers.roundpay).toMatchObject({ statusUrl: 'https://roundpay.example' });
  });

  it('are missing for required settings, which are all named at once', () => {
    expect(() => loadConfig({})).toThrow(
      new RegExp(['DATABASE_URL', 'ENCRYPTION_KEYS', 'AUDIT_KEYS'].map((name) => `${name}: is required[^]*`).join('')),
    );
    expect(() => loadConfig({})).not.toThrow('PROVIDER_ROUNDPAY_STATUS_URL');
  });
});

it('requires at least one provider for processes that send orders or check their status, and only for those', () => {
  const withoutProviders = Object.fromEntries(
    Object.keys(environment())
      .filter((variable) => /^PROVIDER_.*_URL$/.test(variable))
      .map((variable) => [variable, '']),
  );
  const loadWith = (settings: Record<string, string | undefined>) => () =>
    loadServeConfig({ ...environment(), ...withoutProviders, ...settings });
  for (const settings of [{}, { HOSTS: 'production', WORKERS: 'none' }, { HOSTS: 'uat', WORKERS: 'sweeper' }])
    expect(loadWith(settings)).toThrow(
      /^ {2}PROVIDER_ROUNDPAY_URL, .*PROVIDER_BANKSATHI_URL: at least one is required/m,
    );
  for (const settings of [
    { HOSTS: 'uat,console', WORKERS: 'webhooks,email' },
    { HOSTS: 'none', WORKERS: 'anchors' },
    { PROVIDER_MOKSHIQ_URL: 'https://mokshiq.example' },
  ])
    expect(loadWith(settings)).not.toThrow();
  // a command that calls no provider does not need any
  expect(load(withoutProviders).databaseUrl).toBe('postgresql://db/x');
  expect(offlineConfig().sharedLimits).toBe('memory');
});

it('weak durability is allowed only for a database on this machine', () => {
  const databases = (url: string, listen = url) =>
    load({ ALLOW_WEAK_DURABILITY: 'true', DATABASE_URL: url, DATABASE_LISTEN_URL: listen });
  const [remote, local] = ['postgresql://db/x', 'postgresql://x@127.0.0.1:5432/x'];
  for (const url of [local, 'postgresql://localhost/x', 'postgresql://[::1]/x', `${remote}?host=/run/postgresql`])
    expect(databases(url).allowWeakDurability).toBe(true);
  const complaint =
    'ALLOW_WEAK_DURABILITY: is accepted only if DATABASE_URL and DATABASE_LISTEN_URL are on this machine.';
  for (const urls of [[remote], [local, remote], [`${local}?host=db`], ['postgresql://127.0.0.1.example/x']] as const)
    expect(() => databases(...(urls as [string, string]))).toThrow(complaint);
  expect(load({}).allowWeakDurability).toBe(false);
});

it('an argument of serve overrides its setting, and an invalid one is reported with the possible values', () => {
  const withServeOptions = (...args: Parameters<typeof serveOptions>) => serveOptions(...args).environment;
  const effective = withServeOptions({ HOSTS: 'production', WORKERS: 'email' }, [
    '--hosts',
    'uat,console',
    '--pause-orders',
  ]);
  expect(effective).toEqual({ HOSTS: 'uat,console', WORKERS: 'email', PAUSE_ORDERS: 'true' });
  expect(withServeOptions({ HOSTS: 'production' }, [])).toEqual({ HOSTS: 'production' });
  const allowed = '--hosts: must be all, none, or of uat, production, console, separated by commas';
  expect(() => withServeOptions({}, ['--hosts', 'uta'])).toThrow(allowed);
  expect(() => withServeOptions({}, ['--hosts='])).toThrow(allowed);
  expect(() => withServeOptions({}, ['--workers=mails'])).toThrow(/^--workers: must be all, none, or of sweeper, /);
  expect(() => withServeOptions({}, ['--host', 'uat'])).toThrow('Unknown option --host.');
  expect(() => withServeOptions({}, ['uat'])).toThrow('Too many arguments.');
});

it('a process can run all parts of the service or only some', () => {
  const parts = (settings: Record<string, string>) => {
    const { hosts, workers } = load(settings);
    return [[...hosts], [...workers]];
  };
  const all = [
    ['uat', 'production', 'console'],
    ['sweeper', 'webhooks', 'email', 'housekeeping', 'anchors'],
  ];
  expect(parts({})).toEqual(all);
  expect(parts({ HOSTS: 'all', WORKERS: 'all' })).toEqual(all);
  expect(parts({ HOSTS: ' console, uat ', WORKERS: 'none' })).toEqual([['uat', 'console'], []]);
  expect(parts({ HOSTS: 'none', WORKERS: 'email' })).toEqual([[], ['email']]);
  for (const text of ['uta', 'uat,all', 'none,uat', ',', 'uat production'])
    expect(problemsOf({ HOSTS: text })).toContain(
      '  HOSTS: must be all, none, or of uat, production, console, separated by commas',
    );
  expect(problemsOf({ WORKERS: 'mails' })).toContain('  WORKERS: must be all, none, or of sweeper, webhooks, email, ');
  expect(problemsOf({ HOSTS: 'none', WORKERS: 'none' })).toContain('  HOSTS: must not be none if WORKERS is none');
});

describe('a process that serves sends no clear text to another machine', () => {
  const loadWith = (settings: Record<string, string>) =>
    loadServeConfig({ ...testEnvironment('postgresql://db/x', 'http://127.0.0.1:9', [1, 2, 3]), ...settings });
  const complaint = (variable: string) =>
    new RegExp(`^ {2}${variable}: must be https, [^\\n]*ALLOW_CLEAR_TEXT=true[^\\n]*$`, 'm');

  it.each([
    'PUBLIC_URL_UAT',
    'PUBLIC_URL_PRODUCTION',
    'PUBLIC_URL_CONSOLE',
    'PROVIDER_ROUNDPAY_URL',
    'PROVIDER_ROUNDPAY_STATUS_URL',
    'PROVIDER_MOKSHIQ_URL',
    'PROVIDER_EKYCHUB_URL',
    'PROVIDER_INSPAY_URL',
    'PROVIDER_BANKSATHI_URL',
  ])('through %s, unless a setting allows it', (variable) => {
    for (const host of ['shop.example', '203.0.113.5:4003', '0.0.0.0:4000', '127.0.0.1.example'])
      expect(() => loadWith({ [variable]: `http://${host}/path` })).toThrow(complaint(variable));
    for (const url of ['https://shop.example', 'http://localhost:4003', 'http://[::1]:4003', 'http://127.8.0.1'])
      expect(() => loadWith({ [variable]: url })).not.toThrow();
    expect(() => loadWith({ [variable]: 'http://shop.example', ALLOW_CLEAR_TEXT: 'true' })).not.toThrow();
    // commands that only read the database send nothing there
    expect(() => load({ [variable]: 'http://shop.example' })).not.toThrow();
  });

  it('and all such settings are named at once, without their values', () => {
    const { message } = captured(() =>
      loadWith({ PUBLIC_URL_CONSOLE: 'http://shop.example', PROVIDER_INSPAY_URL: 'http://inspay.example/token' }),
    );
    expect(message).toMatch(complaint('PUBLIC_URL_CONSOLE'));
    expect(message).toMatch(complaint('PROVIDER_INSPAY_URL'));
    expect(message).not.toContain('example');
  });

  it('and hosts that listen on every address need a public URL', () => {
    expect(() => loadWith({ HOST: '0.0.0.0' })).toThrow(complaint('PUBLIC_URL_UAT'));
  });
});

function captured(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}
