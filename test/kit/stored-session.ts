/** A session in the record of a browser, without a sign-in. */
import type { Context } from '../../src/bff/core/context.ts'
import { addSession } from '../../src/bff/session/browser.ts'
import { storeSession } from '../../src/bff/session/record.ts'
import { APP } from './config.ts'

/** @param cookie of the browser @returns also its new cookie, as it sends it */
export async function openStored(context: Context, start: Parameters<typeof storeSession>[1], cookie = '') {
  const stored = await storeSession(context, start)
  const request = new Request(APP, { headers: { Cookie: cookie } })
  const headers = new Headers()
  const others = await addSession({ ...context, headers }, request, stored)
  const setCookie = headers.get('Set-Cookie') ?? ''
  return { ...stored, others, setCookie, cookie: setCookie.replace(/;.*/, '') }
}
