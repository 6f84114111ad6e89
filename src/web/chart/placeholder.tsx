import styles from './chart.module.css'

/** Keeps the space of the chart until it comes. */
export const ChartPlaceholder = ({ large = false }: { large?: boolean | undefined }) => (
  <div className={styles.frame} data-large={large} aria-hidden="true">
    <p className={styles.head}>{'\u00a0'}</p>
    <span className={styles.space} />
    <p className={styles.days}>{'\u00a0'}</p>
  </div>
)
