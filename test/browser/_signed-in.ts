// An app, and a page in English of a person who has signed in to it by key.
import { openApp, openBrowser } from './_cleanup.ts'
import { signInByKey } from './_steps.ts'

/** `url` is that of the app. */
export async function openSignedIn() {
  const app = await openApp()
  const { url, sandboxState } = app
  const page = await (await (await openBrowser()).newContext({ locale: 'en-GB' })).newPage()
  await page.goto(url)
  await signInByKey(page, sandboxState().api_keys[0]?.value ?? '')
  return { page, url, app }
}
