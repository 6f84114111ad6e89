/** Searches all that the app leaves behind for secrets, in every form that they could have. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A secret and its name; with `hashed`, a plain hash of it must not be anywhere either. */
export interface Canary {
  what: string
  value: string
  isHashed?: true
}

export interface Place {
  name: string
  bytes: Buffer
}

const LEAST_LETTERS = 12

function formsOf({ value, isHashed }: Canary): Buffer[] {
  const bytes = Buffer.from(value)
  const forms = [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    ...(['base64', 'base64url', 'hex'] as const).map((encoding) =>
      bytes.toString(encoding).replace(/=+$/, ''),
    ),
  ]
  if (isHashed)
    for (const encoding of ['base64', 'base64url', 'hex'] as const)
      forms.push(createHash('sha256').update(value).digest(encoding).slice(0, 16))
  return [...new Set(forms)].map((form) => Buffer.from(form))
}

/** @returns a line for each finding, without the value itself */
export function sweep(canaries: readonly Canary[], places: readonly Place[]): string[] {
  const short = canaries.filter(({ value }) => value.length < LEAST_LETTERS)
  if (short.length > 0)
    throw new Error(`too short to search for: ${short.map(({ what }) => what).join(', ')}`)
  return canaries.flatMap((canary) => {
    const forms = formsOf(canary)
    return places
      .filter(({ bytes }) => forms.some((form) => bytes.includes(form)))
      .map(({ name }) => `${canary.what} in ${name}`)
  })
}

export const placesIn = (folder: string): Place[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({
      name: `the file ${name}`,
      bytes: readFileSync(join(parentPath, name)),
    }))

export const place = (name: string, text: string): Place => ({ name, bytes: Buffer.from(text) })
