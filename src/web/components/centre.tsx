/** Pages of a few words, such as those that say what is loading or what has failed. */
import { Component, type ReactNode } from 'react'
import { text } from '../text/text.ts'
import { Mark } from './icons.tsx'

interface CentreProps {
  title: string
  children?: ReactNode
}

export const Centre = ({ title, children }: CentreProps) => (
  <main id="main" className="centre">
    <Mark size={56} />
    <h1>{title}</h1>
    {children}
  </main>
)

/** Around a notice that takes the place of a page. */
export const NoticePage = ({ children }: { children?: ReactNode }) => (
  <Centre title="Plimsoll">{children}</Centre>
)

export const Waiting = ({ words = text().app.opening }: { words?: string }) => (
  <main id="main" className="centre waiting">
    <Mark size={56} />
    <h1>
      <output>{words}</output>
    </h1>
  </main>
)

/** Replaces the page when rendering fails: a message, and a next step that costs nothing. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const { broken, reload, goToStart } = text().app
    return (
      <Centre title={broken.heading}>
        <p role="alert">{broken.words}</p>
        <button type="button" data-kind="primary" onClick={() => location.reload()}>
          {reload}
        </button>
        <a href="/">{goToStart}</a>
      </Centre>
    )
  }
}
