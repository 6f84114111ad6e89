/** Representations: which one a browser prefers, and whether it has it already (RFC 9110 8.8, 12.5). */
import { createHash } from 'node:crypto'

/** The preferred name first. A weight of 0 means not acceptable. */
export const accepted = (field: string | null): string[] =>
  (field ?? '')
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ name, weight }) => name !== '' && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => name)

const HASH_CHARACTERS = 27

/** An entity tag without the sign of a weak one. */
export const entityTagOf = (content: Uint8Array | string): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, HASH_CHARACTERS)}"`

const NAMED = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** What a proxy appends to the tag of what it compresses. */
const COMPRESSED = /-{1,2}gzip"$/

/** True if `If-None-Match` names the tag by weak comparison, or is `*` (RFC 9110 8.8.3.2, 13.1.2). */
export const isNamed = (field: string | null, tag: string): boolean =>
  field !== null &&
  (field.trim() === '*' ||
    [...field.matchAll(NAMED)].some(([, named = '']) => named.replace(COMPRESSED, '"') === tag))

/** @param text is JSON already */
export const jsonText = (text: string): Response =>
  new Response(text, { headers: { 'Content-Type': 'application/json' } })
