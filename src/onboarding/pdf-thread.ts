/**
 * Runs in a thread of its own for one document, see `pdf-check`: reads all objects of a PDF, those in compressed streams too, and says
 * whether one of them does something when the document is opened or read. It imports nothing of ours.
 */
import { parentPort } from 'node:worker_threads';
import { EncryptedPDFError, PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFStream } from '@cantoo/pdf-lib';

export type PdfVerdict = 'passive' | 'active' | 'encrypted' | 'unreadable';

/** Keys of dictionaries that hold scripts, further actions, files or forms with scripts. */
const ACTIVE_KEYS: ReadonlySet<string> = new Set([
  '/JS',
  '/JavaScript',
  '/AA',
  '/EmbeddedFiles',
  '/EF',
  '/RichMediaContent',
  '/XFA',
]);
/** Types of actions and annotations. Links within the document and to web pages are none of them. */
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
    // names are decoded here: /J#61vaScript is /JavaScript
    const name = key.asString();
    if (ACTIVE_KEYS.has(name)) return true;
    const resolved = resolve(value);
    if (TYPE_KEYS.has(name) && resolved instanceof PDFName && ACTIVE_TYPES.has(resolved.asString())) return true;
    // where a document opens at is a place; many writers say so. Anything else that happens then is an action
    if (
      name === '/OpenAction' &&
      resolved instanceof PDFDict &&
      resolve(resolved.get(PDFName.of('S'))!) !== PDFName.of('GoTo')
    )
      return true;
    return isActive(value, resolve);
  });
}

/** Encrypted objects may not parse at all: then the trailer says why. */
const isEncrypted = (content: Uint8Array): Promise<boolean> =>
  PDFDocument.load(content, { updateMetadata: false }).then(
    () => false,
    (error: unknown) => error instanceof EncryptedPDFError,
  );

async function verdictOf(content: Uint8Array): Promise<PdfVerdict> {
  try {
    // what cannot be read cannot be judged either: another reader may make something of it
    const { context } = await PDFDocument.load(content, { updateMetadata: false, throwOnInvalidObject: true });
    const objects = context.enumerateIndirectObjects().map(([, object]) => object);
    return objects.some((object) => isActive(object, (inner) => context.lookup(inner))) ? 'active' : 'passive';
  } catch (error) {
    if (error instanceof EncryptedPDFError) return 'encrypted';
    return (await isEncrypted(content)) ? 'encrypted' : 'unreadable';
  }
}

// the library writes what it finds odd to the console, with parts of the document
for (const name of ['log', 'warn', 'error', 'info'] as const) console[name] = () => {};

parentPort!.once('message', (content: Uint8Array) => {
  void verdictOf(content).then((verdict) => parentPort!.postMessage(verdict));
});
