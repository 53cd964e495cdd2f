/**
 * Runs in its own thread for one document, see `pdf-check`. Reads all objects of a PDF, including compressed streams, and
 * reports whether one of them is active when the document is opened or read. Imports none of our modules.
 */
import { parentPort } from 'node:worker_threads';
import { EncryptedPDFError, PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFStream } from '@cantoo/pdf-lib';

export type PdfCheckResult = 'passive' | 'active' | 'encrypted' | 'unreadable';

/** Dictionary keys that hold scripts, additional actions, files or forms with scripts. */
const ACTIVE_KEYS: ReadonlySet<string> = new Set([
  '/JS',
  '/JavaScript',
  '/AA',
  '/EmbeddedFiles',
  '/EF',
  '/RichMediaContent',
  '/XFA',
]);
/** Types of actions and annotations. Links within the document and to web pages are allowed. */
const ACTIVE_TYPES: ReadonlySet<string> = new Set([
  '/JavaScript',
  '/Launch',
  '/ImportData',
  '/SubmitForm',
  '/GoToE',
  '/GoToR',
  '/Rendition',
  '/Movie',
  '/Sound',
  '/RichMedia',
  '/FileAttachment',
  '/EmbeddedFile',
]);
const TYPE_KEYS: ReadonlySet<string> = new Set(['/S', '/Subtype', '/Type']);

function isActive(object: PDFObject, resolve: (object: PDFObject) => PDFObject | undefined): boolean {
  if (object instanceof PDFStream) return isActive(object.dict, resolve);
  if (object instanceof PDFArray) return object.asArray().some((inner) => isActive(inner, resolve));
  if (!(object instanceof PDFDict)) return false;
  return object.entries().some(([key, value]) => {
    // decodes names: /J#61vaScript is /JavaScript
    const name = key.asString();
    if (ACTIVE_KEYS.has(name)) return true;
    const resolved = resolve(value);
    if (TYPE_KEYS.has(name) && resolved instanceof PDFName && ACTIVE_TYPES.has(resolved.asString())) return true;
    // a destination only sets the initial page and is common; any other value is an action
    if (
      name === '/OpenAction' &&
      resolved instanceof PDFDict &&
      resolve(resolved.get(PDFName.of('S'))!) !== PDFName.of('GoTo')
    )
      return true;
    return isActive(value, resolve);
  });
}

/** Whether the PDF is encrypted. Encrypted objects may fail to parse, so the trailer is checked for the reason. */
const isEncrypted = (content: Uint8Array): Promise<boolean> =>
  PDFDocument.load(content, { updateMetadata: false }).then(
    () => false,
    (error: unknown) => error instanceof EncryptedPDFError,
  );

async function checkPdf(content: Uint8Array): Promise<PdfCheckResult> {
  try {
    // unreadable objects are rejected, because another reader may be able to interpret them
    const { context } = await PDFDocument.load(content, { updateMetadata: false, throwOnInvalidObject: true });
    const objects = context.enumerateIndirectObjects().map(([, object]) => object);
    return objects.some((object) => isActive(object, (inner) => context.lookup(inner))) ? 'active' : 'passive';
  } catch (error) {
    if (error instanceof EncryptedPDFError) return 'encrypted';
    return (await isEncrypted(content)) ? 'encrypted' : 'unreadable';
  }
}

// the library logs parts of the document to the console
for (const name of ['log', 'warn', 'error', 'info'] as const) console[name] = () => {};

parentPort!.once('message', (content: Uint8Array) => {
  void checkPdf(content).then((result) => parentPort!.postMessage(result));
});
