/** For each invariant a client that is broken on purpose, and the commands at which the invariant notices it. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { PLANS } from '../../src/contract/plan.ts'
import { type AdmissionState, type Store, UNPROVEN } from '../../src/store/store.ts'
import { COOKIES, SERVICE } from '../../test/kit/config.ts'
import { type Command, COMMANDS, DAY, HOUR, MINUTE } from './commands.ts'
import type { InvariantName } from './invariants.ts'
import { type Breakage, waitIterations } from './world.ts'

export interface Broken {
  violates: InvariantName
  /** What the client does wrong. */
  planted: string
  commands: readonly Command[]
  /** Where the default choices would hide the fault, or show more than one. */
  choices?: Partial<Choices>
  breakage: Breakage
}

const { signIn, presses, looks, waits, together, claims, enterReading, useUpMinute } = COMMANDS
const hour = waits(HOUR + MINUTE, 'an hour')
const [ada, read] = [signIn('ada'), presses('ada')]

const isRefresh = (request: Request, body: string) =>
  request.url.endsWith('/oauth2/token') && body.includes('refresh_token')

const copyOf = ({ url, method, headers }: Request, body: string): Request =>
  new Request(url, { method, headers, ...(body !== '' && { body }) })

type Send = (request: Request) => Promise<Response>

/** Sends a request once more, if it is one of these. */
const again = (isMeant: (request: Request, body: string, answer: Response) => boolean): Breakage => ({
  upstream: (send) => async (request) => {
    const body = await request.text()
    const answer = await send(copyOf(request, body))
    return isMeant(request, body, answer) ? send(copyOf(request, body)) : answer
  },
})

const before = (
  isMeant: (request: Request) => boolean,
  work: (request: Request, send: Send) => unknown,
): Breakage => ({
  upstream: (send) => async (request) => {
    if (isMeant(request)) await work(request, send)
    return send(request)
  },
})

const inStore = (broken: (store: Store, now: () => number) => Partial<Store>): Breakage => ({
  store: (store, world) => ({ ...store, ...broken(store, () => world.now()) }),
})

const inAnswers = (
  change: (answer: Response, request: Request) => Response | Promise<Response>,
): Breakage => ({
  answers: (fetch) => async (request) => change(await fetch(request), request),
})

/** A stored note; only the members that are changed here matter. */
interface Note {
  value: {
    pauses: Record<string, { code: string }>
    sightings: { name: string; value: string }[]
    suspicion?: object
  }
}

/** Changes what is written into the notes whose name begins so. */
const inNotes = (begin: string, alter: (note: Note, known: unknown) => void): Breakage =>
  inStore((store) => ({
    changeNote: (name, change, ...others) =>
      store.changeNote(
        name,
        (known) => {
          const next = structuredClone(change(known))
          if (name.startsWith(begin) && name !== 'token endpoint' && next !== undefined)
            alter(next as Note, known)
          return next
        },
        ...others,
      ),
  }))

type Counted = Awaited<ReturnType<Store['countByKind']>>

/** Only for the organization without readings and without a monthly limit: elsewhere more would be wrong. */
const inCounts = (alter: (counted: Counted) => Counted): Breakage =>
  inStore((store) => ({
    countByKind: async (organization, sinceMs) => {
      const counted = await store.countByKind(organization, sinceMs)
      return organization === '2002' ? alter(counted) : counted
    },
  }))

export const BROKEN: readonly Broken[] = [
  {
    violates: 'no secret leaves the bff',
    planted: 'it quotes a token in a header of its answers',
    commands: [ada],
    breakage: {
      answers:
        (fetch, { recording }) =>
        async (request) => {
          const { status, headers, body } = await fetch(request)
          headers.set('X-Debug', [...recording.secrets].at(-1) ?? '')
          return new Response(body, { status, headers })
        },
    },
  },
  {
    violates: 'never two credentials, never one in an address',
    planted: 'it sends its token in a cookie, too',
    commands: [ada],
    breakage: before(
      ({ headers }) => headers.has('Authorization'),
      ({ headers }) => headers.set('Cookie', `token=${headers.get('Authorization')}`),
    ),
  },
  {
    violates: 'nothing but the specified endpoints',
    planted: 'it asks for another address, too',
    commands: [ada],
    breakage: before(
      ({ method }) => method === 'GET',
      (_, send) => send(new Request(`${SERVICE}/style.css`)),
    ),
  },
  {
    violates: 'nothing is sent without an action',
    planted: 'it asks by itself every minute',
    commands: [ada, waits(MINUTE, 'a minute'), looks('ada')],
    breakage: {
      upstream: (send, { every }) => {
        every(MINUTE, () => send(new Request(`${SERVICE}/rate_limit`)))
        return send
      },
    },
  },
  {
    violates: 'every request is recorded before it is sent',
    planted: 'it writes the row of a request only when it has been sent',
    commands: [ada],
    breakage: inStore((store) => ({
      reserve: async (...row) => void waitIterations(1).then(() => store.reserve(...row)),
      settle: async (...outcome) => waitIterations(5).then(() => store.settle(...outcome)),
    })),
  },
  {
    violates: 'one press, one request',
    planted: 'it repeats a read that failed',
    commands: [ada, COMMANDS.trouble('server_error')],
    breakage: again(({ method }, _, { status }) => method === 'GET' && status >= 500),
  },
  {
    violates: 'a 429 is never repeated',
    planted: 'it repeats a 429',
    commands: [ada, useUpMinute(false)],
    choices: { remaining: 'before_request' },
    breakage: again((_request, _body, { status }) => status === 429),
  },
  {
    violates: 'one refresh at a time',
    planted: 'it refreshes twice at the same time',
    commands: [ada, hour, read],
    choices: { rotation: 'same' },
    breakage: {
      upstream: (send) => async (request) => {
        const body = await request.text()
        const both = [copyOf(request, body), ...(isRefresh(request, body) ? [copyOf(request, body)] : [])]
        const [answer] = await Promise.all(both.map((one) => send(one)))
        return answer as Response
      },
    },
  },
  {
    violates: 'no refresh token twice, but after a lost answer',
    planted: 'it sends every refresh token once more',
    commands: [ada, hour, read],
    choices: { reuse: 'accepted' },
    breakage: again(isRefresh),
  },
  {
    violates: 'no refresh token twice, but after a lost answer',
    planted: 'it goes on with the tokens of a time when they could not be stored',
    commands: [ada, COMMANDS.noWrites],
    choices: { reuse: 'accepted' },
    breakage: inStore((store, now) => {
      const stale = new Map<string, { encrypted: Uint8Array; untilMs: number }>()
      return {
        writeSession: async (id, ...session) => {
          try {
            return await store.writeSession(id, ...session)
          } catch (error) {
            const known = await store.readSession(id)
            // For a day only, so that the session does not end because of its age.
            if (known) stale.set(id, { encrypted: known.encrypted, untilMs: now() + DAY })
            throw error
          }
        },
        readSession: async (id) => {
          const known = await store.readSession(id)
          const { encrypted, untilMs = 0 } = stale.get(id) ?? {}
          return known && encrypted && untilMs > now() ? { ...known, encrypted } : known
        },
      }
    }),
  },
  {
    violates: 'no code twice',
    planted: 'it sends a code twice',
    commands: [ada],
    choices: { codereplay: 'refused' },
    breakage: {
      upstream: (send) => async (request) => {
        const body = await request.text()
        const answer = await send(copyOf(request, body))
        if (body.includes('authorization_code')) await send(copyOf(request, body))
        return answer
      },
    },
  },
  {
    violates: 'no state twice',
    planted: 'it takes a state as often as it comes',
    commands: [signIn('ben'), COMMANDS.replay('callback')],
    choices: { codereplay: 'refused' },
    breakage: inStore((store) => ({
      claim: async (name, ...times) => (await store.claim(name, ...times)) || name.startsWith(COOKIES.login),
    })),
  },
  {
    violates: 'a session that has ended stays ended',
    planted: 'it leaves a session alive that has ended',
    commands: [signIn('ben'), COMMANDS.withdraw, ada, COMMANDS.signOut('ada')],
    breakage: inStore(() => ({ endSession: async () => {} })),
  },
  {
    violates: 'a session ends for one of the reasons',
    planted: 'it takes a refused client secret for the end of the grant',
    commands: [ada, COMMANDS.deleteApplication],
    breakage: {
      upstream: (send) => async (request) => {
        const body = await request.text()
        const answer = await send(copyOf(request, body))
        const isMeant = isRefresh(request, body) && answer.status >= 400
        return isMeant ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : answer
      },
    },
  },
  {
    violates: 'an answer is of its own organization',
    planted: 'it gives one answer to all who read the limits at the same time',
    commands: [ada, signIn('cleo'), together],
    breakage: {
      upstream: (send) => {
        let underWay: Promise<Response> | undefined
        return async (request) => {
          if (!request.url.endsWith('/rate_limit')) return send(request)
          const own = send(request)
          if (underWay === undefined) {
            underWay = own
            const answer = await own
            underWay = undefined
            return answer.clone()
          }
          const [{ status, headers }, other] = await Promise.all([own, underWay])
          return new Response(await other.clone().text(), { status, headers })
        }
      },
    },
  },
  {
    violates: 'nothing is sent that is known to be over',
    planted: 'it forgets how long the token endpoint asked it to wait',
    commands: [ada, COMMANDS.useUpTokenEndpoint],
    choices: { toklimit: 'own_limit' },
    breakage: inStore((store) => ({
      readNote: async (name) => {
        const note = await store.readNote(name)
        if (name === 'token endpoint') return undefined
        if (!name.startsWith('refresh ') || note === undefined) return note
        const { value, ...rest } = note as { value: object }
        return { ...rest, value: { ...value, retryAtMs: 0 } }
      },
    })),
  },
  {
    violates: 'one try a minute while the month is used up',
    planted: 'it tries the used-up month at every press',
    commands: [ada, COMMANDS.othersUseMonth],
    breakage: inStore((store) => {
      const forget = (state: AdmissionState) => ({
        ...state,
        newestAtMs: undefined,
        claimedUntilMs: undefined,
      })
      return {
        reserve: (entry, admission) =>
          store.reserve(
            entry,
            admission && { ...admission, decide: (state) => admission.decide(forget(state)) },
          ),
        readAdmissionState: async (...asked) => forget(await store.readAdmissionState(...asked)),
      }
    }),
  },
  {
    violates: 'a pause is no longer than its limit',
    planted: 'it states a pause ten minutes longer than it is',
    commands: [ada, useUpMinute(true)],
    choices: { remaining: 'before_request' },
    breakage: inAnswers(async (answer) => {
      if (answer.status !== 429) return answer
      const body = (await answer.json()) as { code: string; retry_in_ms?: number }
      const longerMs = body.code === 'rate_limited' ? 600_000 : 0
      const stated = { ...body, retry_in_ms: (body.retry_in_ms ?? 0) + longerMs }
      return new Response(JSON.stringify(stated), { status: answer.status, headers: answer.headers })
    }),
  },
  {
    violates: 'one probe after a reset',
    planted: 'it forgets a used-up minute when the token is renewed',
    commands: [ada, useUpMinute(false)],
    breakage: inNotes('token ', ({ value }, known) => void (known === undefined && (value.pauses = {}))),
  },
  {
    violates: 'the month is between low and high',
    planted: 'it counts nothing in its ledger',
    commands: [signIn('cleo')],
    breakage: inCounts(() => []),
  },
  {
    violates: 'the month is no wider than what is unknown',
    planted: 'it states that the month is anything up to a million',
    commands: [signIn('cleo')],
    breakage: inCounts((counted) => [
      ...counted,
      { kind: 'token.code', outcome: 'uncertain', succeeded: false, count: 1_000_000 },
    ]),
  },
  {
    violates: 'with a reading, the month of the organization is between low and high',
    planted: 'it takes readings for two fewer than they are',
    commands: [ada, COMMANDS.othersSpend, enterReading],
    breakage: inStore((store) => ({
      listReadings: async (...asked) =>
        (await store.listReadings(...asked)).map((one) => ({ ...one, count: Math.max(0, one.count - 2) })),
    })),
  },
  {
    violates: 'a refusal over the month is shown until it ends',
    planted: 'it forgets that the service refused over the month',
    commands: [ada, COMMANDS.othersUseMonth],
    breakage: inStore((store) => ({
      readNote: async (name) => {
        const note = structuredClone(await store.readNote(name)) as Note | undefined
        if (name.startsWith('organization ')) delete note?.value.suspicion
        return note
      },
    })),
  },
  {
    violates: 'what is learnt of the service is so',
    planted: 'it learns that refresh tokens stay as they are',
    commands: [ada, hour, read],
    breakage: inNotes('service ', ({ value }) => {
      for (const one of value.sightings) if (one.name === 'refresh_rotates') one.value = 'no'
    }),
  },
  {
    violates: 'a press costs what its button said',
    planted: 'it leaves the refresh out of the price',
    commands: [ada, hour, read],
    choices: { toklimit: 'counts_as_update' },
    breakage: inAnswers(async (answer, request) => {
      if (!request.url.endsWith('/bff/quota') || !answer.ok) return answer
      const { refresh: _, ...rest } = (await answer.json()) as { refresh: unknown }
      return new Response(JSON.stringify(rest), { status: answer.status, headers: answer.headers })
    }),
  },
  {
    violates: 'a sign-in that is not proven changes no figures',
    planted: 'it takes the limits of a refused sign-in for those of its organization',
    commands: [signIn('cleo'), claims('made-up code')],
    breakage: inStore((store, now) => {
      const unproven = new Set<string>()
      return {
        reserve: (entry, admission) => {
          if (entry.organization.startsWith(UNPROVEN)) unproven.add(entry.id)
          return store.reserve(entry, admission)
        },
        settle: async (id, settlement, atMs) => {
          if (unproven.has(id) && (settlement.status ?? 0) >= 400) {
            const note = { format: 1, value: { limits: { read: PLANS.standard.read_per_minute } } }
            await store.changeNote('organization 2002', () => note, now() + DAY)
          }
          return store.settle(id, settlement, atMs)
        },
      }
    }),
  },
  {
    violates: 'the service counts no request that is not recorded',
    planted: 'it reads once more over a connection of its own',
    commands: [signIn('key'), presses('key')],
    breakage: {
      upstream: (send, world) => async (request) => {
        if (request.headers.has('X-Service-Api-Key')) await world.app.sandbox.fetch(request.clone())
        return send(request)
      },
    },
  },
  {
    violates: 'every failure is one of the table',
    planted: 'it states what failed in another media type',
    commands: [ada, COMMANDS.trouble('server_error')],
    breakage: inAnswers((answer) => {
      if (answer.status >= 500) answer.headers.set('Content-Type', 'application/json')
      return answer
    }),
  },
  {
    violates: 'every ending has a reason',
    planted: 'it has no stored copy for a screen',
    commands: [ada, looks('ada')],
    breakage: {
      answers: (fetch) => async (request) => {
        const { method, headers, url } = request
        const isScreen = url.includes('/api/') && !headers.has('X-Plimsoll-Spend')
        // No sign-in makes this read.
        return fetch(isScreen ? new Request(new URL('/api/rate_limit', url), { method, headers }) : request)
      },
    },
  },
  {
    violates: 'the service has nothing more to say against the client',
    planted: 'it forgets a 429 that does not say which limit is over',
    commands: [ada, useUpMinute(true)],
    choices: { hdrclass: 'update' },
    breakage: inNotes('token ', ({ value }) => {
      const clear = Object.entries(value.pauses).filter(([, { code }]) => code !== 'limit_unknown')
      value.pauses = Object.fromEntries(clear)
    }),
  },
]
