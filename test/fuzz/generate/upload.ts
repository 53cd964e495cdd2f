import type { FuzzCase } from '../case.js';
import type { Draw } from './draw.js';
import { headersOf } from './envelope.js';
import { hostileText } from './values.js';

const uploadQuery = 'mutation($input: UploadKycDocumentInput!) { uploadKycDocument(input: $input) { documentId } }';

/** Documents that are none: cut base64, wrong types, sizes around the limits. */
export function uploadCase(draw: Draw): FuzzCase {
  const content = draw.of([
    Buffer.from(`%PDF-${draw.digits(30)}`).toString('base64'),
    Buffer.from('\x89PNG\r\n\x1a\n').toString('base64'),
    '====',
    'A',
    '%%%%',
    hostileText(draw),
    Buffer.alloc(draw.chance(3) ? 300_000 : 3_000, draw.digits(3)).toString('base64'),
    `data:application/pdf;base64,JVBERi0=`,
  ]);
  const input: Record<string, unknown> = {
    kind: draw.of(['pan_card', 'gst', hostileText(draw).slice(0, 300)]),
    fileName: draw.of(['a.pdf', '../../x', hostileText(draw).slice(0, 300)]),
    contentType: draw.of(['application/pdf', 'image/png', 'text/html', hostileText(draw).slice(0, 300)]),
    contentBase64: content,
  };
  if (draw.chance(10)) delete input[draw.of(Object.keys(input))];
  return {
    kind: 'upload',
    host: 'console',
    method: 'POST',
    path: '/graphql',
    headers: headersOf(draw, 'console', true),
    body: JSON.stringify({ query: uploadQuery, variables: { input } }),
  };
}
