/** One of many people who read without a pause over an open connection, and check every answer. */
import { setTimeout as wait } from 'node:timers/promises'
import type { QuotaSnapshot } from '../../src/contract/quota.ts'
import type { SignedIn } from '../../src/contract/session.ts'
import { BUSINESS } from '../../test/kit/app.ts'
import type { Person } from './person.ts'

const PATH = `/organizations/${BUSINESS}`
const PAUSE_MS = 80
const TRIES = 40

export interface Load {
  answered: number
  /** Reads that cost a request. */
  paid: number
  /** Each kind of wrong answer, with its number. */
  wrong: Map<string, number>
  refused: number
  /** A connection broke before the answer. */
  broken: number
  slowestMs: number
}

export const newLoad = (): Load => ({
  answered: 0,
  paid: 0,
  wrong: new Map(),
  refused: 0,
  broken: 0,
  slowestMs: 0,
})

interface Asked {
  status: number
  body: unknown
}

/** @param isOver is called after each answer */
export async function runClient({ browser }: Person, load: Load, isOver: () => boolean): Promise<void> {
  const first = await browser.read<unknown>(PATH)
  const session = await browser.session()
  const known = { copy: JSON.stringify(first.body), id: (session.body as SignedIn).id, paid: 1 }
  const asks: [
    share: number,
    name: string,
    ask: () => Promise<Asked>,
    isRight: (body: unknown) => boolean,
  ][] = [
    [0.5, 'copy', () => browser.read<unknown>(PATH), (body) => JSON.stringify(body) === known.copy],
    [
      0.75,
      'session',
      () => browser.session(),
      (body) => (body as SignedIn).signed_in && (body as SignedIn).id === known.id,
    ],
    [
      0.95,
      'quota',
      () => browser.request<unknown>('GET', '/bff/quota'),
      (body) => (body as QuotaSnapshot).month.high >= known.paid,
    ],
    [1, 'paid', () => browser.spend<unknown>(PATH), (body) => JSON.stringify(body) === known.copy],
  ]
  while (!isOver()) {
    const at = Math.random()
    const [, name, ask, isRight] = asks.find(([share]) => at < share) ?? asks[0] ?? []
    if (name === undefined || ask === undefined || isRight === undefined) throw new Error('nothing to ask')
    const startedAtMs = performance.now()
    const answer = await askUntilAnswered(ask, load)
    load.slowestMs = Math.max(load.slowestMs, performance.now() - startedAtMs)
    const found =
      answer === undefined ? 'no answer' : answer.status === 200 ? undefined : String(answer.status)
    const wrong = found ?? (isRight(answer?.body) ? undefined : 'another body')
    load.answered += 1
    if (name === 'paid') {
      load.paid += 1
      if (wrong === undefined) known.paid += 1
    }
    if (wrong !== undefined) count(load.wrong, `${name}: ${wrong} ${codeOf(answer)}`)
    await wait(PAUSE_MS * (0.5 + Math.random()))
  }
}

/** Asks another process if one does not answer. */
async function askUntilAnswered(ask: () => Promise<Asked>, load: Load): Promise<Asked | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code)
      load[code === 'ECONNREFUSED' ? 'refused' : 'broken'] += 1
      await wait(50)
    }
  }
  return undefined
}

const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

const codeOf = (answer: Asked | undefined): string => {
  const { code } = (answer?.body ?? {}) as { code?: string }
  return answer?.status === 200 ? JSON.stringify(answer.body).slice(0, 200) : (code ?? '')
}
