import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';
import { hasPhp } from './libraries.fixture.js';

const test = useSharedApp();

const examplesIn = (file: string, language: string): string =>
  [...readFileSync(file, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
    .map(([, example]) => example!)
    .join('\n');

const libraries: [
  string,
  boolean,
  { file: string; program: string; args: string[]; text: (examples: string) => string },
][] = [
  [
    'Node',
    true,
    {
      file: 'clients/node/recharge-gateway.mjs',
      program: process.execPath,
      args: ['shop.mjs'],
      text: (examples) => `
const deliver = (data) => console.log('deliver', data.client_request_id);
const refund = (of, code) => console.log('refund', code);
const retryLater = (order) => console.log('pending', order.client_request_id);
${examples}
console.log(paid.status, paid.data.orderid);
console.log(data.circle, Object.keys(plans.data.plans).includes('TOPUP'));
console.log((await gateway.request('GET', '/api/v1/products', { category_id: 3 })).status);
try { onWebhook('{}', {}, []); } catch (error) { console.log(error.constructor.name); }`,
    },
  ],
  [
    'PHP',
    hasPhp,
    {
      file: 'clients/php/RechargeGateway.php',
      program: 'php',
      args: ['-d', 'error_reporting=-1', '-d', 'display_errors=1', 'shop.php'],
      text: (examples) => `<?php
function deliver($data) { echo "deliver {$data['client_request_id']}\\n"; }
function refund($of, $code) { echo "refund $code\\n"; }
function retryLater($order) { echo "pending {$order['client_request_id']}\\n"; }
${examples}
echo "$paid->status {$paid->data['orderid']}\\n";
echo $found['circle'], ' ', isset($plans['data']['plans']['TOPUP']) ? 'true' : 'false', "\\n";
echo $gateway->request('GET', '/api/v1/products', ['category_id' => 3])['status'], "\\n";
try { onWebhook('{}', [], []); } catch (Exception $error) { echo get_class($error), "\\n"; }`,
    },
  ],
];

for (const [name, isHere, library] of libraries)
  it.runIf(isHere)(`the README examples for ${name} work unchanged`, async () => {
    const { keys } = await test.developer();
    const home = temporaryDirectory();
    cpSync(library.file, path.join(home, path.basename(library.file)));
    const language = name === 'Node' ? 'js' : 'php';
    writeFileSync(
      path.join(home, library.args.at(-1)!),
      library.text(examplesIn(`clients/${name.toLowerCase()}/README.md`, language)),
    );
    const { stdout, stderr } = await promisify(execFile)(library.program, library.args, {
      cwd: home,
      env: {
        PATH: process.env.PATH,
        GATEWAY_URL: test.urls.uat,
        GATEWAY_CLIENT_ID: keys.uat.clientId,
        GATEWAY_API_SECRET: keys.uat.apiSecret,
      },
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual([
      'deliver #Order28',
      'success pay-28',
      expect.stringMatching(/^\w[\w ]+ true$/),
      'success',
      expect.stringMatching(/^Webhook(Error|Exception)$/),
    ]);
  });
