import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../src/webhooks/webhook-event.js';
import { sampleEvents } from '../../src/webhooks/webhook-samples.js';
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/webhook-signature.js';
import { codeBlocksOf } from '../support/guides.js';

const blocks = codeBlocksOf('docs/guide/webhooks.md');
const exampleIn = (language: string): string => blocks.find((block) => block.language === language)!.code;

const [sample] = sampleEvents;
const body = bodyOf({ ...sample!, order: { ...sample!.order!, clientRequestId: 'हिन्दी-1' } });
const now = Math.floor(Date.now() / 1_000);
const [secret, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
const signed = (secrets = [secret], timestampS = now) => signedHeaders({ id: 'msg_1', timestampS, body }, secrets);

/** Messages in the form that a receiver gets, and whether they are authentic. */
const messages: [name: string, headers: Record<string, string>, body: string, isAuthentic: boolean][] = [
  ['authentic', signed(), body, true],
  ['also signed with the former secret', signed([previous, secret]), body, true],
  ['signed with a different secret', signed([other]), body, false],
  ['with a different body', signed(), body.replace('199', '999'), false],
  ['with a different ID', { ...signed(), 'webhook-id': 'msg_2' }, body, false],
  ['with a later time than the signed one', { ...signed(), 'webhook-timestamp': String(now + 1) }, body, false],
  ['older than five minutes', signed([secret], now - 600), body, false],
  ['with an invalid time', { ...signed(), 'webhook-timestamp': 'now' }, body, false],
  [
    'without a version prefix',
    { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(3) },
    body,
    false,
  ],
  ['without headers', {}, body, false],
  ['with a signature outside ASCII', { ...signed(), 'webhook-signature': 'v1,é' }, body, false],
  ['with an empty signature', { ...signed(), 'webhook-signature': '' }, body, false],
];
const programInput = JSON.stringify({
  secret: secret.reveal(),
  messages: messages.map(([, headers, sent]) => [headers, sent]),
});

/** Results of a program for the messages; undefined if its language is not installed. */
async function resultsOf(command: string, args: readonly string[]): Promise<unknown[] | undefined> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const isInstalled = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
  if (!isInstalled) return undefined;
  child.stdin.end(programInput);
  return JSON.parse(await text(child.stdout)) as unknown[];
}

const PROGRAMS: [language: string, command: string, args: string[]][] = [
  [
    'js',
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `${exampleIn('js')}
       import { json } from 'node:stream/consumers';
       const { secret, messages } = await json(process.stdin);
       console.log(JSON.stringify(messages.map(([headers, body]) => verifiedMessage(body, headers, secret) ?? null)));`,
    ],
  ],
  [
    'php',
    'php',
    [
      '-r',
      `error_reporting(E_ALL); ${exampleIn('php')}
       ['secret' => $secret, 'messages' => $messages] = json_decode(stream_get_contents(STDIN), true);
       echo json_encode(array_map(fn ($one) => verifiedMessage($one[1], $one[0], $secret), $messages));`,
    ],
  ],
  [
    'python',
    'python3',
    [
      '-c',
      `${exampleIn('python')}
import sys
given = json.load(sys.stdin)
print(json.dumps([verified_message(body, headers, given["secret"]) for headers, body in given["messages"]]))`,
    ],
  ],
];

describe('the webhook verification example of the guide', () => {
  it.each(PROGRAMS)('in %s accepts only authentic messages', async (language, command, args) => {
    const responses = await resultsOf(command, args);
    if (responses === undefined && language !== 'js') return; // the language is not installed
    expect(messages.map(([name], n) => [name, responses![n]])).toEqual(
      messages.map(([name, , sent, isAuthentic]) => [name, isAuthentic ? JSON.parse(sent) : null]),
    );
  });

  it('shows a message exactly as sent', () => {
    const example = JSON.parse(exampleIn('json'));
    expect(JSON.stringify(example)).toBe(bodyOf(sample!));
  });
});
