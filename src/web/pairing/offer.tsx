import { lazy, Suspense, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { PAIR_PATH, PATHS } from '../../contract/page.ts'
import { type PairingOffer, typedNumber } from '../../contract/pairing.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SignedIn } from '../../contract/session.ts'
import data from '../components/data.module.css'
import notice from '../components/notice.module.css'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { SidePage, useHeading } from '../layout/side-page.tsx'
import { late } from '../lib/late.ts'
import { followLink } from '../lib/router.ts'
import sign from '../sign-in/sign-in.module.css'
import { useElapsed } from '../lib/clock.ts'
import { countdownWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './pairing.module.css'
import { confirmNumber, offerCode } from './queries.ts'

const QrCode = lazy(() => late(import('./qr-code.tsx').then(({ QrCode }) => ({ default: QrCode }))))

interface Shown extends PairingOffer {
  /** Date.now() at its receipt. */
  atMs: number
}

/** The page of the first browser. */
export function Offer({ session }: { session: SignedIn }) {
  const heading = useHeading()
  const { shown, isOpened, offering, show, onOpened } = useOffer(() => heading.current?.focus())
  const t = words().pairing
  return (
    <SidePage
      session={session}
      title={t.title}
      heading={heading}
      busy={offering.busy}
      done={isOpened ? t.opened : ''}
      problem={offering.problem}
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
      {shown && <Code key={shown.code} shown={shown} onOpened={onOpened} />}
      <p>
        <button type="button" data-kind={shown ? undefined : 'primary'} onClick={show}>
          {shown || isOpened ? t.showAnother : t.show}
        </button>
      </p>
    </SidePage>
  )
}

function useOffer(focusHeading: () => void) {
  const [shown, setShown] = useState<Shown>()
  const [isOpened, setOpened] = useState(false)
  const offering = useFree(offerCode, {
    onDone: (offer) => setShown({ ...offer, atMs: Date.now() }),
  })
  const show = (): void => {
    setOpened(false)
    offering.run()
  }
  const onOpened = (): void => {
    setShown(undefined)
    setOpened(true)
    // The pressed button is gone by then.
    focusHeading()
  }
  return { shown, isOpened, offering, show, onOpened }
}

function Code({ shown: { code, expires_in, atMs }, onOpened }: { shown: Shown; onOpened: () => void }) {
  const leftMs = expires_in * SECOND_MS - useElapsed(atMs)
  const confirming = useFree((number: string) => confirmNumber(code, number), { onDone: onOpened })
  const { problem } = confirming
  const isOver = leftMs <= 0 || problem?.code === 'not_found' || problem?.fault === 'number_differs'
  return (
    <>
      {isOver && <Failure problem={problem} />}
      {!isOver && (
        <div className={`${data.card} ${styles.offer}`}>
          <Address code={code} left={countdownWords(leftMs)} />
          <NumberForm confirming={confirming} />
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

function NumberForm({ confirming }: { confirming: Free<string, void> }) {
  const t = words().pairing
  return (
    <Form
      className={sign.form}
      read={numberIn}
      action={confirming}
      renderNotice={({ fault }) => fault === 'code_not_entered' && <Words of={t.notEntered} />}
    >
      <Field name="number" label={t.number} hint={t.numberHint} inputMode="numeric" />
      <Submit>{t.confirm}</Submit>
    </Form>
  )
}

function numberIn(typed: FormData) {
  const value = typedIn(typed, 'number')
  if (typedNumber(value) !== undefined) return { value }
  return { errors: { number: () => words().pairing.numberFault } }
}

/** In two groups, as people read it out. */
const spaced = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Why the code is of no use any more. */
function Failure({ problem }: { problem: Problem | null }) {
  const t = words().pairing
  return <Words of={problem?.fault === 'number_differs' ? t.differs : t.over} />
}

const Words = ({ of: { title, message } }: { of: { title: string; message: string } }) => (
  <div className={notice.notice} role="alert">
    <h2>{title}</h2>
    <p>{message}</p>
  </div>
)
