import { open } from 'node:fs/promises';
import type { AuditKeys, SignedAnchor } from './audit-keys.js';

/** Anchor as written to the anchor file and the log. Both use the same field name, so that a log can be checked as well. */
export interface AnchorLine {
  auditAnchor: SignedAnchor & { signature: string };
}

export interface FoundAnchor extends SignedAnchor {
  /** File name and line number of the anchor. */
  location: string;
}

export interface Anchors {
  found: FoundAnchor[];
  /** Messages about lines with an invalid anchor. */
  problems: string[];
}

export function anchorLine(keys: AuditKeys, entry: { id: string; hash: Buffer }, at: Date): AnchorLine {
  const anchor = { id: entry.id, hash: entry.hash.toString('hex'), at: at.toISOString(), keyId: keys.currentKeyId };
  return { auditAnchor: { ...anchor, signature: keys.anchorSignature(anchor)! } };
}

function anchorOf(line: string): AnchorLine['auditAnchor'] | undefined {
  try {
    return (JSON.parse(line) as Partial<AnchorLine>).auditAnchor;
  } catch {
    return undefined; // incomplete or manually edited line
  }
}

/** Reads the anchors of an anchor file or log. Throws if the file cannot be opened. */
export async function readAnchors(file: string, keys: AuditKeys): Promise<Anchors> {
  const anchors: Anchors = { found: [], problems: [] };
  const handle = await open(file);
  let number = 0;
  for await (const line of handle.readLines()) {
    number++;
    if (!line.includes('"auditAnchor"')) continue;
    const location = `${file}:${number}`;
    const { signature, ...anchor } = anchorOf(line) ?? { signature: undefined };
    if (signature === undefined) {
      anchors.problems.push(`${location}: the anchor cannot be read`);
      continue;
    }
    const { id, hash, at, keyId } = anchor as SignedAnchor;
    const expected = keys.anchorSignature({ id, hash, at, keyId });
    if (expected === undefined) anchors.problems.push(`${location}: the key of this anchor is missing in AUDIT_KEYS`);
    else if (expected !== signature)
      anchors.problems.push(`${location}: the anchor was changed, or was not signed with this key`);
    else anchors.found.push({ id, hash, at, keyId, location });
  }
  return anchors;
}
