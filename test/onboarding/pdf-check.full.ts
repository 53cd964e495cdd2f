import { deflateSync } from 'node:zlib';
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.js';
import { requirePassivePdf } from '../../src/onboarding/pdf-check.js';

const resultOf = (content: Uint8Array): Promise<string> =>
  requirePassivePdf(Buffer.from(content)).then(
    () => 'accepted',
    ({ code, details }: AppError) =>
      `${code} ${details.fields?.map(({ path, message }) => `${path}: ${message}`).join()}`,
  );
const ACTIVE =
  'VALIDATION_FAILED file: The PDF contains scripts, actions or attached files. Print it to a new PDF and upload that.';

/** A PDF of one page, with compressed objects unless `plain` is set. */
async function pdf(change: (document: PDFDocument) => unknown = () => {}, { plain = false } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([200, 200]);
  await change(document);
  return document.save({ useObjectStreams: !plain });
}
const action = (type: string) => (document: PDFDocument) =>
  document.catalog.set(PDFName.of('OpenAction'), document.context.obj({ S: type, JS: PDFString.of('app.alert(1)') }));

it('a PDF without active content is accepted, also with an initial view and a link', async () => {
  expect(await resultOf(await pdf())).toBe('accepted');
  const linked = await pdf((document) => {
    const page = document.getPage(0);
    document.catalog.set(PDFName.of('OpenAction'), document.context.obj([page.ref, 'Fit']));
    const link = document.context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [0, 0, 9, 9],
      A: { S: 'URI', URI: PDFString.of('https://x.example') },
    });
    page.node.set(PDFName.of('Annots'), document.context.obj([link]));
  });
  expect(await resultOf(linked)).toBe('accepted');
});

it.each<[string, (document: PDFDocument) => unknown]>([
  ['JavaScript that runs when it is opened', action('JavaScript')],
  ['a program that starts when it is opened', action('Launch')],
  ['a script in its names', (document) => document.addJavaScript('hello', 'app.alert(1)')],
  ['an attached file', (document) => document.attach(new Uint8Array([77, 90]), 'setup.exe', {})],
  [
    'a page action',
    (document) =>
      document.getPage(0).node.set(PDFName.of('AA'), document.context.obj({ O: { S: 'Launch', F: 'calc.exe' } })),
  ],
])('a PDF with %s is rejected, whether its objects are compressed or not', async (_name, change) => {
  for (const plain of [true, false]) expect(await resultOf(await pdf(change, { plain }))).toBe(ACTIVE);
});

it('names written with escape codes are found, also in a compressed stream', async () => {
  const plain = Buffer.from(await pdf(action('JavaScript'), { plain: true })).toString('latin1');
  const coded = plain
    .replace('/OpenAction', '/Open#41ction')
    .replace('/JavaScript', '/J#61vaScr#69pt')
    .replace('/JS', '/J#53');
  expect(coded).not.toContain('JavaScript');
  expect(await resultOf(Buffer.from(coded, 'latin1'))).toBe(ACTIVE);
  const objects = '9 0 << /S /J#61vaScript /J#53 (app.alert\\(1\\)) >>';
  const packed = deflateSync(objects);
  const stream = `8 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  const parts = [`%PDF-1.7\n${stream}`, packed.toString('latin1'), '\nendstream\nendobj\ntrailer << >>\n%%EOF\n'];
  expect(await resultOf(Buffer.from(parts.join(''), 'latin1'))).toBe(ACTIVE);
});

it('the error for an encrypted PDF requires removing its password', async () => {
  const content = await pdf((document) => document.encrypt({ userPassword: 'secret', ownerPassword: 'owner' }));
  expect(await resultOf(content)).toBe(
    'VALIDATION_FAILED file: The PDF is password-protected. Remove the password and upload it again.',
  );
});
