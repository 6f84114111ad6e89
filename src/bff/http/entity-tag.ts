/** Entity tags of bytes that never change, and whether a browser has them already (RFC 9110 8.8.3, 13.1.2). */
import { createHash } from 'node:crypto'

const HASH_CHARACTERS = 27
const tags = new WeakMap<Uint8Array, string>()

/** A strong tag, of the content: calculated at the first request for it. */
export function entityTag(bytes: Uint8Array): string {
  const known = tags.get(bytes)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(bytes).digest('base64url')
  const tag = `"${hash.slice(0, HASH_CHARACTERS)}"`
  tags.set(bytes, tag)
  return tag
}

const NAMED = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether a field `If-None-Match` names the tag, in weak comparison, or any (RFC 9110 8.8.3.2). */
export const isNamed = (field: string | null, tag: string): boolean =>
  field !== null && (field.trim() === '*' || [...field.matchAll(NAMED)].some(([, named]) => named === tag))
