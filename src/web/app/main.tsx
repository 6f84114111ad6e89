import { StrictMode, startTransition, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { keepTyped, prepareFirstScreen } from './first-screen.ts'
import './tokens.css'

function Drawn({ then }: { then: () => void }) {
  useLayoutEffect(then, [then])
  return null
}

const root = document.querySelector('#root')
if (root) {
  const typeAgain = keepTyped(root)
  const onDrawn = (): void => {
    document.documentElement.dataset['shown'] = 'now'
    typeAgain()
  }
  void prepareFirstScreen().then((first) =>
    // A transition renders in steps, so the browser answers input in between.
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <App {...first} />
          <Drawn then={onDrawn} />
        </StrictMode>,
      ),
    ),
  )
}
