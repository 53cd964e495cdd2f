import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { requirePassivePdf } from '../../src/onboarding/pdf-check.js';

it('a PDF that unpacks beyond the memory limit of its thread is unreadable, and the process continues', async () => {
  const packed = deflateSync(Buffer.alloc(300 * 1024 * 1024, '1 0 '), { level: 1 });
  const stream = `8 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  const parts = [`%PDF-1.7\n${stream}`, packed.toString('latin1'), '\nendstream\nendobj\ntrailer << >>\n%%EOF\n'];
  await expect(requirePassivePdf(Buffer.from(parts.join(''), 'latin1'))).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { fields: [{ path: 'file', message: expect.stringMatching(/^The PDF cannot be read/) }] },
  });
});
