/** Runs work that a press starts and that costs no request, one press at a time. */
import { useState } from 'react'
import { asProblem, type Problem } from '../../contract/problem.ts'

export interface FreeWork {
  busy: boolean
  problem: Problem | undefined
  /** About the last work; empty before it. */
  done: string
  /** @param sentence makes the words about the finished work, each time they are drawn: languages change */
  run: (work: () => Promise<void>, sentence: () => string) => Promise<void>
}

/** @param after runs when the server has confirmed the work */
export function useFreeWork(after: () => Promise<void>): FreeWork {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [done, setDone] = useState<{ sentence: () => string }>()
  const run = async (work: () => Promise<void>, sentence: () => string): Promise<void> => {
    if (busy) return
    setBusy(true)
    setDone(undefined)
    setProblem(undefined)
    try {
      await work()
      await after()
      setDone({ sentence })
    } catch (error) {
      setProblem(asProblem(error))
    }
    setBusy(false)
  }
  return { busy, problem, done: done?.sentence() ?? '', run }
}
