import { Component, type ReactNode } from 'react'
import styles from './app.module.css'
import { Mark } from './mark.tsx'

/** Takes the place of the page when rendering fails: a message, and a next step that costs nothing. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <main className={styles.centre} role="alert">
        <Mark size={56} />
        <h1>This page could not be shown</h1>
        <p>An error stopped it. Nothing was lost, and nothing was spent.</p>
        <button type="button" data-kind="primary" onClick={() => location.reload()}>
          Load the page again
        </button>
        <a href="/">Go to the start page</a>
      </main>
    )
  }
}
