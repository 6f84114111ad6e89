import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useState } from 'react'
import { typedCode } from '../../contract/pairing.ts'
import { Problem } from '../../contract/problem.ts'
import { Field, type FieldErrors, Form, Submit, typedIn } from '../components/form.tsx'
import { Mark } from '../components/icons.tsx'
import { Notice } from '../components/notice.tsx'
import { type Free, useFree } from '../components/use-free.ts'
import { useNow } from '../lib/clock.ts'
import { focused, useTitle } from '../lib/router.ts'
import { changeSession } from '../session/session.ts'
import { nameIn } from '../sessions/sessions.tsx'
import sign from '../sign-in/sign-in.module.css'
import { words } from '../text/text.ts'
import styles from './pairing.module.css'
import { claimCode, isDefinite, isOver, nameBrowser, type Wait, waitQuery } from './queries.ts'

/** The page of the second browser, which is not signed in yet. */
export function SecondBrowser() {
  const code = useCode()
  const t = words().pairing.second
  useTitle(t.title)
  return (
    <main id="main" className={sign.page}>
      <div className={sign.card}>
        <p className={sign.mark}>
          <Mark size={64} />
        </p>
        <h1>{t.title}</h1>
        <Pairing key={code} code={code} />
      </div>
    </main>
  )
}

/** The code of the address, also of one that is opened in this tab later. */
function useCode(): string {
  const [code, setCode] = useState(() => location.hash.slice(1))
  useLayoutEffect(() => {
    const take = (): void => {
      if (location.hash === '') return
      setCode(location.hash.slice(1))
      // Before the first request, so that neither the history nor a bookmark has the code.
      history.replaceState(null, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return code
}

/** In the state of the history entry, for a page that loads anew: the name for this browser. */
const CLAIMED = 'plimsoll.claimed'
const claimedAs = (): string | undefined => (history.state as { [CLAIMED]?: string } | null)?.[CLAIMED]

/** After a reload it shows its number again: the server knows this browser by a cookie. */
function Pairing({ code }: { code: string }) {
  const [name, setName] = useState(claimedAs)
  const client = useQueryClient()
  const { data: wait, error } = useQuery({ ...waitQuery, enabled: name !== undefined })
  const problem = useProblem(wait, error)
  const remember = (as: string | undefined): void => {
    history.replaceState({ [CLAIMED]: as }, '')
    setName(as)
  }
  const claiming = useFree(({ typed }: Entered) => claimCode(typed), {
    onDone: (claimed, { as }) => {
      client.setQueryData(waitQuery.queryKey, claimed)
      remember(as)
    },
  })
  useEffect(() => {
    // The page of the session starts anew, with nothing of this one, and so do the other tabs.
    if (wait === 'opened') void nameBrowser(name).finally(() => changeSession('/'))
  }, [wait, name])
  if (name === undefined) return <Entry code={code} claiming={claiming} />
  const again = (): void => {
    client.removeQueries(waitQuery)
    remember(undefined)
  }
  const t = words().pairing.second
  const next = { label: t.again, run: again }
  if (problem) return <Notice problem={problem} words={wordsOf(problem)} next={next} />
  return typeof wait === 'object' ? <Confirming number={wait.number} /> : <p>{t.waiting}</p>
}

/** Why the wait has ended. */
function useProblem(wait: Wait | undefined, error: Problem | null): Problem | undefined {
  const nowMs = useNow()
  if (error && isDefinite(error)) return error
  return isOver(wait, nowMs) ? new Problem('not_found') : undefined
}

const wordsOf = ({ code }: Problem) => (code === 'not_found' ? words().pairing.second.over : undefined)

interface Entered {
  typed: string
  /** The name for this browser; empty without one. */
  as: string
}

function Entry({ code, claiming }: { code: string; claiming: Free<Entered, Wait> }) {
  const t = words().pairing.second
  return (
    <>
      <p>{t.lead}</p>
      <p>{t.careful}</p>
      <Form
        className={sign.form}
        read={entered}
        action={claiming}
        renderNotice={(problem) => (
          <Notice problem={problem} words={wordsOf(problem)} again={claiming.again} />
        )}
      >
        <Field name="code" label={t.code} hint={t.codeHint} defaultValue={code} autoCapitalize="characters" />
        <Field name="name" label={t.name} hint={t.nameHint} dir="auto" />
        <Submit>{t.goOn}</Submit>
      </Form>
    </>
  )
}

function entered(data: FormData): { value: Entered } | { errors: FieldErrors } {
  const typed = typedIn(data, 'code')
  const name = nameIn(data)
  const wrong = typedCode(typed) === undefined && { code: () => words().pairing.second.codeFault }
  if (!wrong && 'value' in name) return { value: { typed, as: name.value } }
  return { errors: { ...wrong, ...name.errors } }
}

function Confirming({ number }: { number: string }) {
  const t = words().pairing.second
  return (
    <>
      <h2 ref={focused} tabIndex={-1}>
        {t.number} <span className={styles.number}>{number}</span>
      </h2>
      <p>{t.waiting}</p>
    </>
  )
}
