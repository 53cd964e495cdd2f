import type { FuzzCase } from '../case.js';
import type { Draw } from './draw.js';
import { headersOf } from './envelope.js';
import { hostileText } from './values.js';

/** Invalid uploads: truncated forms, wrong types, missing and additional parts, sizes around the limits. */
export function uploadCase(draw: Draw): FuzzCase {
  const boundary = draw.of(['x', 'x', 'x', '-'.repeat(70), hostileText(draw).slice(0, 80)]);
  const content = draw.of([
    `%PDF-1.7\n${draw.digits(30)}\n%%EOF\n`,
    '\x89PNG\r\n\x1a\n',
    '',
    '\r\n--',
    hostileText(draw),
    draw.digits(3).repeat(draw.chance(3) ? 100_000 : 1_000),
  ]);
  const fileName = draw.of(['a.pdf', '../../x', '', hostileText(draw).slice(0, 300)]);
  const type = draw.of(['application/pdf', 'image/png', 'text/html', hostileText(draw).slice(0, 300)]);
  const kind = `name="kind"\r\n\r\n${draw.of(['pan_card', 'gst', hostileText(draw).slice(0, 300)])}`;
  const file = `name="file"; filename="${fileName}"\r\ncontent-type: ${type}\r\n\r\n${content}`;
  const other = `name="${hostileText(draw).slice(0, 300)}"\r\n\r\nx`;
  const parts = draw.chance(70) ? [kind, file] : [kind, file, other].flatMap((part) => Array(draw.below(3)).fill(part));
  const body = `${parts.map((part) => `--${boundary}\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}--${boundary}--\r\n`;
  return {
    kind: 'upload',
    host: 'console',
    method: 'POST',
    path: '/kyc/documents',
    headers: {
      ...headersOf(draw, 'console', true),
      // a value that a header cannot contain would never be sent
      'content-type': `multipart/form-data; boundary=${boundary.replaceAll(/[^\x20-\x7e]/g, 'y')}`,
    },
    bytes: Buffer.from(body.slice(0, draw.chance(20) ? draw.below(body.length) : undefined), 'latin1').toString(
      'base64',
    ),
  };
}
