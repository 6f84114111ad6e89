/** Screens that are loaded after the first load, each at most once. */
import { lazy } from 'react'
import { late } from '../lib/late.ts'
import { loadSignedInText } from '../text/text.ts'

const importSignedIn = () =>
  late(Promise.all([import('./signed-in.tsx'), loadSignedInText()])).then(
    ([{ SignedInScreen }]) => SignedInScreen,
  )

let loadedScreen: Awaited<ReturnType<typeof importSignedIn>> | undefined

export async function loadSignedIn(): Promise<void> {
  loadedScreen = await importSignedIn()
}

const LateScreen = lazy(() => importSignedIn().then((screen) => ({ default: screen })))

/** A loaded screen is drawn at once, without a fallback. */
export const signedInScreen = () => loadedScreen ?? LateScreen

export const Guide = lazy(() =>
  late(import('../sign-in/guide.tsx').then(({ Guide }) => ({ default: Guide }))),
)
