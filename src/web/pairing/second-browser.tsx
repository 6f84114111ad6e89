import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { type PairingClaim, typedCode } from '../../contract/pairing.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { Mark } from '../components/icons.tsx'
import { Field, Form, Submit, typedIn } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { useTitle } from '../lib/router.ts'
import sign from '../sign-in/sign-in.module.css'
import { words } from '../text/text.ts'
import styles from './pairing.module.css'
import { claimCode, isOpened } from './queries.ts'

const POLL_MS = 1500

/** The page of the second browser, which is not signed in yet. */
export function SecondBrowser() {
  const [code] = useState(() => location.hash.slice(1))
  // Before the first request, so that neither the history nor a bookmark has the code.
  useLayoutEffect(() => history.replaceState(null, '', location.pathname), [])
  const claiming = useFree(claimCode)
  const [lost, setLost] = useState<Problem>()
  const claim = claiming.done?.result
  const t = words().pairing.second
  useTitle(t.title)
  const again = (): void => {
    claiming.forget()
    setLost(undefined)
  }
  return (
    <main id="main" className={sign.page}>
      <div className={sign.card}>
        <p className={sign.mark}>
          <Mark size={64} />
        </p>
        <h1>{t.title}</h1>
        {lost && <Notice problem={lost} words={wordsOf(lost)} next={{ label: t.again, run: again }} />}
        {claim && !lost && <Confirming claim={claim} onProblem={setLost} />}
        {!claim && <Entry code={code} claiming={claiming} />}
      </div>
    </main>
  )
}

const wordsOf = ({ code }: Problem) => (code === 'not_found' ? words().pairing.second.over : undefined)

function Entry({ code, claiming }: { code: string; claiming: Free<string, PairingClaim> }) {
  const t = words().pairing.second
  return (
    <>
      <p>{t.lead}</p>
      <p>{t.careful}</p>
      <Form
        className={sign.form}
        read={codeIn}
        action={claiming}
        renderNotice={(problem) => (
          <Notice problem={problem} words={wordsOf(problem)} again={claiming.again} />
        )}
      >
        <Field name="code" label={t.code} hint={t.codeHint} defaultValue={code} autoCapitalize="characters" />
        <Submit>{t.goOn}</Submit>
      </Form>
    </>
  )
}

function codeIn(typed: FormData) {
  const value = typedIn(typed, 'code')
  if (typedCode(value) !== undefined) return { value }
  return { errors: { code: () => words().pairing.second.codeFault } }
}

interface ConfirmingProps {
  claim: PairingClaim
  onProblem: (problem: Problem) => void
}

function Confirming({ claim, onProblem }: ConfirmingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const t = words().pairing.second
  useLayoutEffect(() => heading.current?.focus(), [])
  useEffect(() => askUntilOpened(claim, onProblem), [claim, onProblem])
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {t.number} <span className={styles.number}>{claim.number}</span>
      </h2>
      <p>{t.waiting}</p>
    </>
  )
}

/**
 * Asks for free until the number is confirmed or refused or the code ends, whatever else fails.
 * @returns a function that stops it
 */
function askUntilOpened({ expires_in }: PairingClaim, onProblem: (problem: Problem) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  let isOver = false
  const stop = (): void => {
    isOver = true
    clearTimeout(timer)
    clearTimeout(end)
  }
  const end = setTimeout(() => onProblem(new Problem('not_found')), expires_in * SECOND_MS)
  const ask = async (): Promise<void> => {
    let waitMs = POLL_MS
    try {
      // The page of the session starts anew, with nothing of this one.
      if (await isOpened()) return location.replace('/')
    } catch (error) {
      if (isOver) return
      const problem = asProblem(error)
      if (problem.status < 500 && problem.status !== 429) return onProblem(problem)
      waitMs = Math.max(POLL_MS, problem.retryInMs ?? 0)
    }
    if (!isOver) timer = setTimeout(() => void ask(), waitMs)
  }
  timer = setTimeout(() => void ask(), POLL_MS)
  return stop
}
