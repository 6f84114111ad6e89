import { Component, type ReactNode } from 'react'
import styles from './app.module.css'
import { Mark } from './icons.tsx'
import { text } from '../text/text.ts'

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
      <main id="main" className={styles.centre} role="alert">
        <Mark size={56} />
        <h1>{broken.heading}</h1>
        <p>{broken.words}</p>
        <button type="button" data-kind="primary" onClick={() => location.reload()}>
          {reload}
        </button>
        <a href="/">{goToStart}</a>
      </main>
    )
  }
}
