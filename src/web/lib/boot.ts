/** What the server drew the document from. A page without it, as in development, asks for everything. */
import { useSyncExternalStore } from 'react'
import { type Boot, BOOT_ID } from '../../contract/boot.ts'

export function readBoot(): Boot | undefined {
  const json = document.getElementById(BOOT_ID)?.textContent
  return json ? (JSON.parse(json) as Boot) : undefined
}

const never = () => () => {}
const yes = () => true
const no = () => false

/** False on the server, and in the browser until it has taken over the page: what it alone knows waits. */
export const useIsOwn = (): boolean => useSyncExternalStore(never, yes, no)
