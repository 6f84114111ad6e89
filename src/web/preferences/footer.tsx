import styles from './footer.module.css'
import { LanguageChoice, ThemeChoice } from './choices.tsx'

/** Stays mounted while the page above it changes. */
export const Footer = () => (
  <footer className={styles.footer}>
    <LanguageChoice />
    <ThemeChoice />
  </footer>
)
