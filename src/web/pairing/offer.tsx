import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { PAIR_PATH } from '../../contract/page.ts'
import { type PairingOffer, typedPairNumber } from '../../contract/pairing.ts'
import type { SignedIn } from '../../contract/session.ts'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import { latePart } from '../components/late-part.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { SidePage } from '../layout/side-page.tsx'
import { useElapsed } from '../lib/clock.ts'
import { focused } from '../lib/router.ts'
import { countdownWords } from '../text/format.ts'
import { words } from '../text/text.ts'
import styles from './pairing.module.css'
import { confirmNumber, offerCode, openedQuery, sessionIds } from './queries.ts'

const QrCode = latePart(
  () => import('./qr-code.tsx').then(({ QrCode }) => QrCode),
  () => <div className={styles.qr} />,
)

interface Shown extends PairingOffer {
  /** Date.now() at its receipt. */
  atMs: number
}

/** The page of the first browser. */
export function Offer({ session }: { session: SignedIn }) {
  const { shown, isOpened, offering, onOpened } = useOffer()
  const t = words().pairing
  return (
    <SidePage
      session={session}
      title={t.title}
      lead={[t.lead, t.careful]}
      links={isOpened ? { sessions: t.sessions } : {}}
      action={offering}
      done={isOpened ? t.opened : ''}
    >
      {shown && <Code key={shown.code} shown={shown} onOpened={onOpened} />}
      <p>
        <button type="button" data-kind={shown ? undefined : 'primary'} onClick={() => offering.run()}>
          {shown || isOpened ? t.showAnother : t.show}
        </button>
      </p>
    </SidePage>
  )
}

function useOffer() {
  const [shown, setShown] = useState<Shown>()
  const [isOpened, setOpened] = useState(false)
  const offering = useFree(offerCode, {
    onDone: (offer) => {
      setShown({ ...offer, atMs: Date.now() })
      setOpened(false)
    },
  })
  const onOpened = (): void => {
    setShown(undefined)
    setOpened(true)
  }
  return { shown, isOpened, offering, onOpened }
}

interface CodeProps {
  shown: Shown
  onOpened: () => void
}

function Code({ shown, onOpened }: CodeProps) {
  const leftMs = shown.expires_in * SECOND_MS - useElapsed(shown.atMs)
  const before = useRef<string[]>(undefined)
  const confirm = async (number: string): Promise<string[]> => {
    // Not again after a lost answer: the second browser may be open by then.
    before.current ??= await sessionIds()
    await confirmNumber(shown.code, number)
    return before.current
  }
  const confirming = useFree(confirm)
  const end = endOf(confirming, leftMs)
  const isWaiting = confirming.done !== undefined && end === undefined
  const opened = useQuery({ ...openedQuery(confirming.done?.result), enabled: isWaiting })
  useEffect(() => {
    if (opened.data) onOpened()
  }, [opened.data, onOpened])
  return (
    <>
      <output className={isWaiting ? undefined : 'unseen'}>{isWaiting && words().pairing.confirmed}</output>
      {end && <Words of={words().pairing[end]} />}
      {!isWaiting && !end && (
        <div className="card sums">
          <Address code={shown.code} left={countdownWords(leftMs)} />
          <NumberForm confirming={confirming} />
        </div>
      )}
    </>
  )
}

/** Why the code is of no use any more. */
function endOf({ problem, done }: Free<string, string[]>, leftMs: number) {
  if (problem?.fault === 'number_differs') return 'differs'
  if (leftMs > 0 && problem?.code !== 'not_found') return undefined
  return done ? 'late' : 'over'
}

/** Such an address opens on this computer alone. */
const isLoopback = (): boolean => /^(localhost|127\..*|\[::1\])$|\.localhost$/.test(location.hostname)

function Address({ code, left }: { code: string; left: string }) {
  const t = words().pairing
  return (
    <>
      <div className="stack">
        <h2 ref={focused} tabIndex={-1}>
          {t.code} <span className={styles.code}>{spaced(code)}</span>
        </h2>
        <p>{t.type(location.host + PAIR_PATH)}</p>
        <p className="quiet">{t.left(left)}</p>
      </div>
      <div className="stack">
        {isLoopback() ? (
          <p>{t.onlyHere(location.host)}</p>
        ) : (
          <>
            <p>{t.scan}</p>
            <QrCode text={`${location.origin}${PAIR_PATH}#${code}`} label={t.qr} />
          </>
        )}
      </div>
    </>
  )
}

function NumberForm({ confirming }: { confirming: Free<string, string[]> }) {
  const t = words().pairing
  return (
    <Form
      read={numberIn}
      action={confirming}
      renderNotice={({ fault }) => (fault === 'code_not_entered' ? <Words of={t.notEntered} /> : undefined)}
    >
      <Field name="number" label={t.number} hint={t.numberHint} inputMode="numeric" />
      <Submit>{t.confirm}</Submit>
    </Form>
  )
}

function numberIn(typed: FormData) {
  const value = typedIn(typed, 'number')
  if (typedPairNumber(value) !== undefined) return { value }
  return { errors: { number: () => words().pairing.numberFault } }
}

/** In two groups, as people read it out. */
const spaced = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const Words = ({ of: { title, message } }: { of: { title: string; message: string } }) => (
  <div className="notice" role="alert">
    <h2>{title}</h2>
    <p>{message}</p>
  </div>
)
