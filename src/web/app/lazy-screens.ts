/** Screens that are loaded after the first load, each at most once. */
import { lazy } from 'react'
import { late } from '../lib/late.ts'
import { loadWords } from '../text/text.ts'

const importSignedIn = () =>
  late(Promise.all([import('./signed-in.tsx'), loadWords('home')])).then(([signedIn]) => signedIn)

let loaded: Awaited<ReturnType<typeof importSignedIn>> | undefined

export const loadSignedIn = async () => (loaded = await importSignedIn())

/** Draws at once; absent until it is loaded. */
export const loadedScreen = () => loaded?.SignedInScreen

export const LateScreen = lazy(() =>
  importSignedIn().then(({ SignedInScreen }) => ({ default: SignedInScreen })),
)

export const Guide = lazy(() =>
  late(Promise.all([import('../sign-in/guide.tsx'), loadWords('pages'), loadWords('home')])).then(
    ([{ Guide }]) => ({
      default: Guide,
    }),
  ),
)
