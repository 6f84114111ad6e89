import { Component, type ReactNode } from 'react'
import styles from './app.module.css'
import { Mark } from './mark.tsx'

/** What is left of the page when drawing it fails: words, and a way on that costs nothing. */
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
        <h1>This page has run aground</h1>
        <p>Drawing it failed. Nothing was lost, and nothing was spent.</p>
        <button type="button" data-kind="primary" onClick={() => location.reload()}>
          Load the page anew
        </button>
        <a href="/">Go to the start page</a>
      </main>
    )
  }
}
