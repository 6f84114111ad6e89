import { lazy, Suspense, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { PAIR_PATH, PATHS } from '../../contract/page.ts'
import { type PairingOffer, typedNumber } from '../../contract/pairing.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import notice from '../components/notice.module.css'
import { Notice } from '../components/notice.tsx'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { useFreeWork } from '../lib/free-work.ts'
import { late } from '../lib/late.ts'
import { followLink } from '../lib/router.ts'
import { useElapsed } from '../lib/clock.ts'
import { countdownWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import { OneField, type Reports } from '../sign-in/one-field.tsx'
import styles from './pairing.module.css'
import { confirmNumber, offerCode } from './queries.ts'

const QrCode = lazy(() => late(import('./qr-code.tsx').then(({ QrCode }) => ({ default: QrCode }))))

interface Shown extends PairingOffer {
  /** performance.now() at its receipt. */
  atMs: number
}

/** The page of the first browser. */
export function Offer({ session }: { session: SignedIn }) {
  const heading = useHeading()
  const { shown, isOpened, showing, show, onOpened } = useOffer()
  const t = words().pairing
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={heading}
      busy={showing.busy}
      done={isOpened ? t.opened : ''}
      problem={showing.problem}
      onAgain={show}
      lead={
        <>
          <p>{t.lead}</p>
          <p className={data.quiet}>{t.careful}</p>
        </>
      }
    >
      {isOpened && (
        <p>
          <a href={PATHS.sessions} onClick={followLink}>
            {t.sessions}
          </a>
        </p>
      )}
      {shown && <Code key={shown.code} shown={shown} onOpened={() => onOpened(heading.current)} />}
      <p>
        <button type="button" data-kind={shown ? undefined : 'primary'} onClick={show}>
          {shown || isOpened ? t.showAnother : t.show}
        </button>
      </p>
    </SidePage>
  )
}

function useOffer() {
  const [shown, setShown] = useState<Shown>()
  const [isOpened, setOpened] = useState(false)
  const showing = useFreeWork(async () => {})
  const show = (): void => {
    setOpened(false)
    void showing.run(
      async () => setShown({ ...(await offerCode()), atMs: performance.now() }),
      () => '',
    )
  }
  const onOpened = (heading: HTMLElement | null): void => {
    setShown(undefined)
    setOpened(true)
    // The pressed button is gone by then.
    heading?.focus()
  }
  return { shown, isOpened, showing, show, onOpened }
}

function Code({ shown: { code, expires_in, atMs }, onOpened }: { shown: Shown; onOpened: () => void }) {
  const leftMs = expires_in * SECOND_MS - useElapsed(atMs)
  const [problem, setProblem] = useState<Problem>()
  const isOver = leftMs <= 0 || problem?.code === 'not_found' || problem?.fault === 'number_differs'
  return (
    <>
      {(problem || isOver) && <Failure problem={problem} />}
      {!isOver && (
        <div className={`${data.card} ${styles.offer}`}>
          <Address code={code} left={countdownWords(leftMs)} />
          <NumberForm code={code} onOpened={onOpened} onProblem={setProblem} />
        </div>
      )}
    </>
  )
}

function Address({ code, left }: { code: string; left: string }) {
  const t = words().pairing
  return (
    <>
      <div className={styles.step}>
        <p>{t.scan}</p>
        <Suspense fallback={<div className={styles.qr} />}>
          <QrCode text={`${location.origin}${PAIR_PATH}#${code}`} label={t.qr} />
        </Suspense>
      </div>
      <div className={styles.step}>
        <p>{t.type(location.host + PAIR_PATH)}</p>
        <p className={styles.code}>{spaced(code)}</p>
        <p className={data.quiet}>{t.left(left)}</p>
      </div>
    </>
  )
}

interface NumberFormProps extends Reports {
  code: string
  onOpened: () => void
}

function NumberForm({ code, onOpened, onProblem }: NumberFormProps) {
  const t = words().pairing
  const send = async (typed: string): Promise<void> => {
    await confirmNumber(code, typed)
    onOpened()
  }
  return (
    <OneField
      label={t.number}
      input={{ id: 'pairing-number', inputMode: 'numeric' }}
      initial=""
      hint={() => words().pairing.numberHint}
      errorOf={(typed) => (typedNumber(typed) === undefined ? words().pairing.numberFault : '')}
      button={{ kind: 'primary', label: t.confirm, busy: t.confirm }}
      send={send}
      onProblem={onProblem}
    />
  )
}

/** In two groups, as people read it out. */
const spaced = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

function Failure({ problem }: { problem: Problem | undefined }) {
  const t = words().pairing
  if (problem?.fault === 'code_not_entered') return <Words of={t.notEntered} />
  if (problem?.fault === 'number_differs') return <Words of={t.differs} />
  return problem === undefined || problem.code === 'not_found' ? (
    <Words of={t.over} />
  ) : (
    <Notice problem={problem} />
  )
}

const Words = ({ of: { title, message } }: { of: { title: string; message: string } }) => (
  <div className={notice.notice} role="alert">
    <h2>{title}</h2>
    <p>{message}</p>
  </div>
)
