import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { SECOND_MS } from '../../contract/duration.ts'
import { type PairingClaim, typedCode } from '../../contract/pairing.ts'
import { asProblem, Problem } from '../../contract/problem.ts'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { useTitle } from '../lib/router.ts'
import { OneField } from '../sign-in/one-field.tsx'
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
  const [claim, setClaim] = useState<PairingClaim>()
  const [problem, setProblem] = useState<Problem>()
  const t = words().pairing.second
  useTitle(t.title)
  const again = (): void => {
    setClaim(undefined)
    setProblem(undefined)
  }
  return (
    <main id="main" className={sign.page}>
      <div className={sign.card}>
        <p className={sign.mark}>
          <Mark size={64} />
        </p>
        <h1>{t.title}</h1>
        {problem && (
          <Notice
            problem={problem}
            words={problem.code === 'not_found' ? t.over : undefined}
            {...(claim && { next: { label: t.again, run: again } })}
          />
        )}
        {claim && !problem && <Confirming claim={claim} onProblem={setProblem} />}
        {!claim && <Entry code={code} onClaim={setClaim} onProblem={setProblem} />}
      </div>
    </main>
  )
}

interface EntryProps {
  code: string
  onClaim: (claim: PairingClaim) => void
  onProblem: (problem: Problem | undefined) => void
}

function Entry({ code, onClaim, onProblem }: EntryProps) {
  const t = words().pairing.second
  return (
    <>
      <p>{t.lead}</p>
      <p>{t.careful}</p>
      <OneField
        label={t.code}
        input={{ id: 'pairing-code', autoCapitalize: 'characters' }}
        initial={code}
        hint={() => words().pairing.second.codeHint}
        errorOf={(typed) => (typedCode(typed) === undefined ? words().pairing.second.codeFault : '')}
        button={{ kind: 'primary', label: t.goOn, busy: t.goOn }}
        send={async (typed) => onClaim(await claimCode(typed))}
        onProblem={onProblem}
      />
    </>
  )
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
