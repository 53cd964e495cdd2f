import { open } from 'node:fs/promises';
import type { AuditKeys, SignedAnchor } from './audit-keys.js';

/** An anchor as it stands in the anchor file and in the log: under this name, so that a log can be compared as well. */
export interface AnchorLine {
  auditAnchor: SignedAnchor & { signature: string };
}

export interface FoundAnchor extends SignedAnchor {
  /** File and line. */
  where: string;
}

export interface Anchors {
  found: FoundAnchor[];
  /** Lines that name an anchor and are none of ours. */
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
    return undefined; // cut off while it was written, or changed by hand
  }
}

/** The anchors of a file, or of a log. Errors: those of opening the file. */
export async function readAnchors(file: string, keys: AuditKeys): Promise<Anchors> {
  const anchors: Anchors = { found: [], problems: [] };
  const handle = await open(file);
  let number = 0;
  for await (const line of handle.readLines()) {
    number++;
    if (!line.includes('"auditAnchor"')) continue;
    const where = `${file}:${number}`;
    const { signature, ...anchor } = anchorOf(line) ?? { signature: undefined };
    if (signature === undefined) {
      anchors.problems.push(`${where}: the anchor cannot be read`);
      continue;
    }
    const { id, hash, at, keyId } = anchor as SignedAnchor;
    const expected = keys.anchorSignature({ id, hash, at, keyId });
    if (expected === undefined) anchors.problems.push(`${where}: AUDIT_KEYS lacks the key of this anchor`);
    else if (expected !== signature) anchors.problems.push(`${where}: the anchor was changed, or made without the key`);
    else anchors.found.push({ id, hash, at, keyId, where });
  }
  return anchors;
}
