import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ADDRESS_ATTEMPTS_LIMIT, ATTEMPTS_LIMIT, ATTEMPTS_WINDOW_S } from '../../src/accounts/attempts.js';
import { PLAY_MONEY } from '../../src/accounts/developers/developer.verbs.js';
import { bytes, inRupees, limits, time } from '../../src/cli/limits.js';
import { offlineConfig } from '../../src/config.js';
import { SLOW_RESPONSE_MS, STATUS_CHECKS_UNTIL_SETTLED } from '../../src/core/magic-numbers.js';
import type { Paise } from '../../src/core/money.js';
import { CLIENTS_SHARE } from '../../src/core/principal.js';
import { MAX_ROWS } from '../../src/graphql/documents/cost.js';
import { ANONYMOUS_SHARE } from '../../src/graphql/documents/counter.js';
import { MAX_PLACES } from '../../src/graphql/documents/places.js';
import { REPLAY_LIMIT, SESSION_LIMIT } from '../../src/graphql/schema/limits.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../../src/graphql-toolkit/connection.js';
import { MAX_PROBLEMS } from '../../src/graphql-toolkit/input.js';
import { AROUND_FILE_BYTES } from '../../src/http/files/file-form.js';
import { UPLOADS_AT_ONCE } from '../../src/http/files/uploads.js';
import {
  ANONYMOUS_BODY_LIMIT_BYTES,
  BODY_LIMIT_BYTES,
  CONNECTION_LIMIT_BYTES,
  NEWCOMERS_BODY_LIMIT_BYTES,
} from '../../src/http/limits/memory.js';
import { MAX_FORM_FIELDS } from '../../src/http/requests/bodies.js';
import { MAX_DAYS_IN_FILE } from '../../src/ledger/day-range.js';
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS } from '../../src/onboarding/kyc-document.js';
import { MAX_STREAM_MS, MAX_UNREAD_ORDERS } from '../../src/orders/views/order-feed.js';
import { MAX_DAYS_OF_ORDERS } from '../../src/orders/views/order-list.types.js';
import { MAX_WAITING_REQUESTS } from '../../src/orders/views/order-waiters.js';
import { CATALOGUE_FRESH_MS } from '../../src/products/fresh-cache.js';
import { MAX_GROUPS, MAX_PLANS } from '../../src/providers/ekychub/ekychub.mapping.js';
import { MAX_WAITING as MAX_SCENARIOS, SCENARIO_VALID_HOURS } from '../../src/providers/sandbox/scenario.store.js';
import { PENDING_RETRY_S } from '../../src/rest/responses.js';
import { MAX_REFILL, MAX_REFILLS } from '../../src/sandbox/refill.service.js';
import { MAX_ENDPOINTS } from '../../src/webhooks/webhook-endpoint.service.js';
import { TEST_RETRIES } from '../../src/webhooks/webhook-event.js';
import { RECEIVER_TIMEOUT_MS } from '../../src/webhooks/webhook-sender.js';
import { servedDocuments } from '../rest/served-openapi.js';

const page = readFileSync('docs/interface.md', 'utf8');
/** Without line breaks. */
const prose = page.replaceAll(/\s+/g, ' ');

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (count: number): string => (count === 20 ? 'twenty' : WORDS[count]!);
const count = (number: number): string => number.toLocaleString('en-IN');
const rupees = (amount: Paise): string => inRupees(amount).slice(1);
const { maxRechargePaise, maxBillPaymentPaise, syncWindowMs, visibilityDelayMs, tokens, rateLimitPerMinute, webhooks } =
  offlineConfig();

describe('the numbers in the sentences of docs/interface.md are those of the code', () => {
  it.each([
    ['2.8', `more than ${MAX_GROUPS} groups or ${count(MAX_PLANS)} plans`],
    ['2.13', `settle on the ${STATUS_CHECKS_UNTIL_SETTLED === 3 ? 'third' : '?'} status check`],
    ['2.13', `respond after ${SLOW_RESPONSE_MS / 1_000} s`],
    ['3.3', `\`Retry-After: ${PENDING_RETRY_S}\``],
    ['3.3', `(${syncWindowMs / 1_000} s by default)`],
    ['3.4', `A separate limit of ${REPLAY_LIMIT} a minute per key`],
    ['4.3', `at most ${rupees(maxRechargePaise)} (\`MAX_RECHARGE_RUPEES\`)`],
    ['4.5', `at most ${rupees(maxBillPaymentPaise)} (\`MAX_BILL_PAYMENT_RUPEES\`)`],
    ['4.14', `can be up to ${word(CATALOGUE_FRESH_MS / 60_000)} minutes old`],
    ['4.18', `at most ${MAX_DAYS_IN_FILE} days`],
    ['4.21', `within ${MAX_DAYS_OF_ORDERS} days`],
    ['4.23', `creates an endpoint, up to ${word(MAX_ENDPOINTS)} per environment`],
    ['4.24', `at most ${MAX_SCENARIOS} unused scenarios`],
    ['4.24', `expires after ${SCENARIO_VALID_HOURS} hours`],
    ['4.25', `at most ${rupees(MAX_REFILL)}; default ${rupees(PLAY_MONEY)})`],
    ['4.25', `up to ${word(MAX_REFILLS)} times per calendar day (IST)`],
    ['4.26', `1 to ${MAX_PAGE}, default ${DEFAULT_PAGE}`],
    ['5.2', `After ${ATTEMPTS_LIMIT} failures in ${ATTEMPTS_WINDOW_S / 60} minutes`],
    ['5.2', `or ${ADDRESS_ATTEMPTS_LIMIT} for an address`],
    ['5.3', `${tokens.tokenIdleDays} days without use (\`TOKEN_IDLE_DAYS\`)`],
    ['5.3', `${tokens.tokenMaxDays} days after the exchange (\`TOKEN_MAX_DAYS\`)`],
    ['5.3', `${tokens.tokensPerCredential} live tokens (\`TOKENS_PER_CREDENTIAL\`)`],
    ['5.3', `is limited to ${word(CLIENTS_SHARE)} times the developer's limit a minute`],
    ['6.1', `up to ${word(MAX_ENDPOINTS)} https URLs`],
    ['6.1', `has ${RECEIVER_TIMEOUT_MS / 1_000} s to return 2xx`],
    ['6.1', `for ${webhooks.disableAfterMs / 3_600_000} hours is disabled`],
    ['6.1', `Up to ${webhooks.retries} retries follow a failed attempt`],
    ['6.1', `grow from ${webhooks.delayS} s to ${webhooks.delayMaxS / 3_600} hours`],
    ['6.1', `at most ${word(TEST_RETRIES)} retries and no effect`],
    ['7.1', `every invalid field with an array of texts, at most ${MAX_PROBLEMS}`],
    ['8.1', `${rateLimitPerMinute} requests per minute for each developer`],
    ['8.1', `The limit for console sessions is ${SESSION_LIMIT} per minute`],
    ['8.1', `all client tokens of a developer and environment together is ${word(CLIENTS_SHARE)} times`],
    ['8.1', `${MAX_WAITING_REQUESTS} slots for servers, or the developer's limit`],
    ['8.1', `On the console, each user has ${MAX_WAITING_REQUESTS} slots`],
    ['8.1', `\`ordersChanged\` after ${time(MAX_STREAM_MS)}`],
    ['8.1', `more than ${count(MAX_UNREAD_ORDERS)} changed orders behind`],
    ['8.1', `${word(ANONYMOUS_SHARE)} times \`RATE_LIMIT_PER_MINUTE\``],
    ['8.3', `can have at most ${bytes(BODY_LIMIT_BYTES)}, in UTF-8`],
    [
      '8.3',
      `at most ${bytes(ANONYMOUS_BODY_LIMIT_BYTES)}, or ${bytes(NEWCOMERS_BODY_LIMIT_BYTES)} for GraphQL on the console`,
    ],
    ['8.3', `holds more than ${bytes(CONNECTION_LIMIT_BYTES)} of responses`],
    ['8.3', `with at most ${MAX_FORM_FIELDS} text fields`],
    ['10.1', `can request at most ${count(MAX_ROWS)} rows`],
    ['10.1', `its \`first\` or \`last\`, or ${DEFAULT_PAGE} without them`],
    ['10.2', `\`first\` is 1 to ${MAX_PAGE}, by default ${DEFAULT_PAGE}`],
    ['10.3', `or the invalid value, at most ${word(MAX_PLACES)}.`],
    ['10.3', `one entry for each violated rule, at most ${MAX_PROBLEMS}`],
    ['10.6', `PNG of at most ${bytes(MAX_DOCUMENT_BYTES)}`],
    ['10.6', `exceeds ${bytes(MAX_DOCUMENT_BYTES)} plus ${bytes(AROUND_FILE_BYTES)}`],
    ['10.6', `has already uploaded ${word(MAX_DOCUMENTS)}`],
    ['10.6', `${word(UPLOADS_AT_ONCE)} other uploads are in progress`],
    ['10.7', `\`VISIBILITY_DELAY_MS\` (${visibilityDelayMs / 60_000} minutes)`],
    ['11.1', `begin with ${inRupees(PLAY_MONEY)} of test funds`],
  ])('%s: %s', (_section, sentence) => {
    expect(prose).toContain(sentence);
  });
});

it('the maximum lengths in the endpoint sections are those of the OpenAPI document', async () => {
  const { uat } = await servedDocuments();
  const document = uat['/openapi.json'];
  const described = [...page.matchAll(/^(4\.\d+) +(GET|POST) +(\/\S+)$/gm)].map(
    ([, section, method, path]) => [section!, document.paths[path!]?.[method!.toLowerCase()]] as const,
  );
  let compared = 0;
  for (const [section, operation] of described) {
    if (!operation) continue;
    const text = textOfSection(section);
    for (const [name, maxLength] of lengthsIn(text)) {
      const schema = fieldOf(document, operation, name);
      if (!schema) continue;
      expect([section, name, schema.maxLength]).toEqual([section, name, maxLength]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(25);
});

function textOfSection(section: string): string {
  const [, after = ''] = page.split(new RegExp(`^### ${section.replace('.', '\\.')} `, 'm'));
  return after.split(/^##/m)[0]!;
}

/** Maximum lengths of the fields that a sentence describes in parentheses. */
function lengthsIn(text: string): [name: string, length: number][] {
  const sentences = [...text.replaceAll(/\s+/g, ' ').matchAll(/((?:`\w+`(?:, | and )?)+) \([^)]*\)/g)].map(
    ([all]) => all,
  );
  return sentences.flatMap((part): [string, number][] => {
    const length = /at most ([\d,]+) characters/.exec(part)?.[1]?.replace(',', '');
    return length ? [...part.split(' (')[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => [name!, Number(length)]) : [];
  });
}

function fieldOf(document: any, operation: any, name: string): { maxLength?: number } | undefined {
  const reference: string | undefined = operation.requestBody?.content['application/json'].schema.$ref;
  const body = reference && document.components.schemas[reference.split('/').at(-1)!];
  return body?.properties[name] ?? operation.parameters?.find((parameter: any) => parameter.name === name)?.schema;
}

it('no limit is listed twice in one table', () => {
  for (const rows of Object.values(limits)) {
    const names = rows.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  }
});
