/** Clients that are broken on purpose, each in one way, with the invariant that finds each. */
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import { PLANS } from '../../src/contract/plan.ts'
import { type AdmissionState, type Store, UNPROVEN } from '../../src/store/store.ts'
import { APP, type Breakage, COOKIES, SERVICE } from './context.ts'
import type { InvariantName } from './invariants.ts'

interface Broken {
  violates: InvariantName
  /** Set if the default choices would hide the fault or would break more. */
  choices?: Partial<Choices>
  unaided?: true
  breakage: Breakage
}

/** A stored pause; the other members of a note do not matter here. */
interface Note {
  gauges: object
  pauses: { [requestClass: string]: { code: string; untilMs: number } }
}

const isRefresh = (request: Request, body: string) =>
  request.url.endsWith('/oauth2/token') && body.includes('refresh_token')

const copyOf = ({ url, method, headers }: Request, body: string): Request =>
  new Request(url, { method, headers, ...(body !== '' && { body }) })

/** Alters the stored windows and pauses of a token. */
const withNotes = (alter: (note: Note, nowMs: number, known: unknown) => Note): Breakage => ({
  store: (store, { now }) => ({
    ...store,
    changeNote: (name, change, ...others) =>
      store.changeNote(
        name,
        (known) => {
          const next = change(known)
          if (!name.startsWith('token ') || name === 'token endpoint') return next
          const { value } = next as { value: Note }
          return { ...next, value: alter(value, now(), known) }
        },
        ...others,
      ),
  }),
})

type Counted = Awaited<ReturnType<Store['countByKind']>>

const withCounts = (alter: (counted: Counted, organization: string) => Counted): Breakage => ({
  store: (store) => ({
    ...store,
    countByKind: async (organization, sinceMs) =>
      alter(await store.countByKind(organization, sinceMs), organization),
  }),
})

export const BROKEN: Record<string, Broken> = {
  'quotes a token in a header of its answers': {
    violates: 'no secret leaves the bff',
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
  'sends its token in a cookie, too': {
    violates: 'never two credentials, never one in an address',
    breakage: {
      upstream: (send) => (request) => {
        const credential = request.headers.get('Authorization')
        if (credential !== null) request.headers.set('Cookie', `token=${credential}`)
        return send(request)
      },
    },
  },
  'asks for another address, too': {
    violates: 'nothing but the specified endpoints',
    breakage: {
      upstream: (send) => async (request) => {
        if (request.method === 'GET') await send(new Request(`${SERVICE}/style.css`))
        return send(request)
      },
    },
  },
  'asks by itself every minute': {
    violates: 'nothing is sent without an action',
    breakage: {
      upstream: (send, { every }) => {
        every(60_000, async () => void (await send(new Request(`${SERVICE}/rate_limit`))))
        return send
      },
    },
  },
  'repeats a read that failed': {
    violates: 'one press, one request',
    breakage: {
      upstream: (send) => async (request) => {
        const again = request.method === 'GET' ? request.clone() : undefined
        const answer = await send(request)
        if (answer.status >= 500 && again !== undefined) await send(again)
        return answer
      },
    },
  },
  'repeats a 429': {
    violates: 'a 429 is never repeated',
    breakage: {
      upstream: (send) => async (request) => {
        const again = request.clone()
        const answer = await send(request)
        return answer.status === 429 ? send(again) : answer
      },
    },
  },
  'refreshes twice in parallel': {
    violates: 'one refresh at a time',
    choices: { rotation: 'same' },
    breakage: {
      upstream: (send) => async (request) => {
        const body = await request.text()
        const both = [copyOf(request, body), ...(isRefresh(request, body) ? [copyOf(request, body)] : [])]
        const [first] = await Promise.all(both.map((one) => send(one)))
        return first as Response
      },
    },
  },
  'sends every refresh token once more': {
    violates: 'no refresh token twice, but after a lost answer',
    breakage: {
      upstream: (send) => async (request) => {
        const body = await request.text()
        const answer = await send(copyOf(request, body))
        if (isRefresh(request, body)) await send(copyOf(request, body))
        return answer
      },
    },
  },
  'goes on with the tokens of a time when they could not be stored': {
    violates: 'no refresh token twice, but after a lost answer',
    choices: { reuse: 'accepted' },
    breakage: {
      store: (store, { now }) => {
        const stale = new Map<string, { encrypted: Uint8Array; untilMs: number }>()
        return {
          ...store,
          writeSession: async (id, session, version) => {
            try {
              return await store.writeSession(id, session, version)
            } catch (error) {
              const known = await store.readSession(id)
              // Kept for a day only, so that the session does not end because of its age.
              if (known !== undefined)
                stale.set(id, { encrypted: known.encrypted, untilMs: now() + 86_400_000 })
              throw error
            }
          },
          readSession: async (id) => {
            const known = await store.readSession(id)
            const { encrypted, untilMs = 0 } = stale.get(id) ?? {}
            return known && encrypted && untilMs > now() ? { ...known, encrypted } : known
          },
        }
      },
    },
  },
  'sends a code twice': {
    violates: 'no code twice',
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
  'takes a state as often as it comes': {
    violates: 'no state twice',
    choices: { codereplay: 'refused' },
    breakage: {
      store: (store) => ({
        ...store,
        claim: async (name, ...times) =>
          (await store.claim(name, ...times)) || name.startsWith(COOKIES.login),
      }),
    },
  },
  'leaves a session alive that has ended': {
    violates: 'a session that has ended stays ended',
    breakage: { store: (store) => ({ ...store, endSession: async () => {} }) },
  },
  'gives one answer to all who read the limits at the same time': {
    violates: 'an answer is of its own organization',
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
  'forgets what the token endpoint asked it to wait for': {
    violates: 'nothing is sent that is known to be over',
    choices: { toklimit: 'own_limit' },
    breakage: {
      store: (store) => ({
        ...store,
        readNote: async (name) => {
          const note = await store.readNote(name)
          if (name === 'token endpoint') return undefined
          if (!name.startsWith('refresh ') || note === undefined) return note
          const { value, ...rest } = note as { value: object }
          return { ...rest, value: { ...value, retryAtMs: 0 } }
        },
      }),
    },
  },
  'takes a refused client secret for the end of the grant': {
    violates: 'a session ends for one of the reasons',
    choices: { clientauth: 'basic_only' },
    breakage: {
      upstream: (send) => {
        let isFirst = true
        return async (request) => {
          const body = await request.text()
          const answer = await send(copyOf(request, body))
          if (!isFirst || !isRefresh(request, body) || answer.status < 400) return answer
          isFirst = false
          return Response.json({ error: 'invalid_grant' }, { status: 400 })
        }
      },
    },
  },
  'tries the used-up month at every press': {
    violates: 'one try a minute while the month is used up',
    breakage: {
      store: (store) => {
        const forget = (state: AdmissionState): AdmissionState => ({
          ...state,
          newestAtMs: undefined,
          claimedUntilMs: undefined,
        })
        return {
          ...store,
          reserve: (entry, admission) =>
            store.reserve(
              entry,
              admission && { ...admission, decide: (state) => admission.decide(forget(state)) },
            ),
          readAdmissionState: async (...asked) => forget(await store.readAdmissionState(...asked)),
        }
      },
    },
  },
  'takes the limits of a refused sign-in for those of its organization': {
    violates: 'a sign-in that is not proven changes no figures',
    breakage: {
      store: (store, { now }) => {
        const unproven = new Set<string>()
        return {
          ...store,
          reserve: (entry, admission) => {
            if (entry.organization.startsWith(UNPROVEN)) unproven.add(entry.id)
            return store.reserve(entry, admission)
          },
          settle: async (id, settlement, atMs) => {
            if (unproven.has(id) && (settlement.status ?? 0) >= 400) {
              const note = { format: 1, value: { limits: { read: PLANS.standard.read_per_minute } } }
              await store.changeNote('organization 2002', () => note, now() + 86_400_000)
            }
            return store.settle(id, settlement, atMs)
          },
        }
      },
    },
  },
  'states a pause ten minutes longer than it is': {
    violates: 'a pause is no longer than its limit',
    choices: { remaining: 'before_request' },
    unaided: true,
    breakage: {
      answers: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (answer.status !== 429) return answer
        const body = (await answer.json()) as { code: string; retry_in_ms?: number }
        const longerMs = body.code === 'rate_limited' ? 600_000 : 0
        const stated = { ...body, retry_in_ms: (body.retry_in_ms ?? 0) + longerMs }
        return new Response(JSON.stringify(stated), { status: answer.status, headers: answer.headers })
      },
    },
  },
  'forgets a used-up minute when the token is renewed': {
    violates: 'one probe after a reset',
    breakage: withNotes((note, _, known) => (known === undefined ? { ...note, pauses: {} } : note)),
  },
  'counts nothing in its ledger': {
    violates: 'the month is between low and high',
    // Only for the organization without readings: with readings, its own requests are part of the month.
    breakage: withCounts((counted, organization) => (organization === '2002' ? [] : counted)),
  },
  'states that the month is anything up to a million': {
    violates: 'the month is no wider than what is unknown',
    // Only for the organization without a monthly limit: elsewhere, refusals would look like the end of the
    // month.
    breakage: withCounts((counted, organization) =>
      organization === '2002'
        ? [...counted, { kind: 'token.code', outcome: 'uncertain', succeeded: false, count: 1_000_000 }]
        : counted,
    ),
  },
  'takes readings for two fewer than they are': {
    violates: 'with a reading, the month of the organization is between low and high',
    breakage: {
      store: (store) => ({
        ...store,
        listReadings: async (...asked) =>
          (await store.listReadings(...asked)).map((reading) => ({
            ...reading,
            count: Math.max(0, reading.count - 2),
          })),
      }),
    },
  },
  'forgets that the service refused over the month': {
    violates: 'a refusal over the month is shown until it ends',
    breakage: {
      store: (store) => ({
        ...store,
        readNote: async (name) => {
          const note = await store.readNote(name)
          if (!name.startsWith('organization ') || note === undefined) return note
          const { value, ...rest } = note as { value: { suspicion?: object } }
          const { suspicion: _, ...others } = value
          return { ...rest, value: others }
        },
      }),
    },
  },
  'learns that refresh tokens stay as they are': {
    violates: 'what is learnt of the service is so',
    breakage: {
      store: (store) => ({
        ...store,
        changeNote: (name, change, ...others) =>
          store.changeNote(
            name,
            (known) => {
              const next: unknown = change(known)
              if (!name.startsWith('service ')) return next as never
              const { value, ...rest } = next as { value: { sightings: { name: string }[] } }
              const sightings = value.sightings.map((one) =>
                one.name === 'refresh_rotates' ? { ...one, value: 'no' } : one,
              )
              return { ...rest, value: { ...value, sightings } } as never
            },
            ...others,
          ),
      }),
    },
  },
  'reads once more over a connection of its own': {
    violates: 'the service counts no request that is not recorded',
    breakage: {
      upstream:
        (send, { unrecorded }) =>
        async (request) => {
          if (request.headers.has('X-Service-Api-Key')) await unrecorded(request.clone())
          return send(request)
        },
    },
  },
  'states what failed in another media type': {
    violates: 'every failure is one of the table',
    breakage: {
      answers: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (answer.status >= 500) answer.headers.set('Content-Type', 'application/json')
        return answer
      },
    },
  },
  'has no stored copy for a screen': {
    violates: 'the journey goes as it has to',
    breakage: {
      answers: (fetch) => async (request) => {
        const { method, headers } = request
        const isScreen = request.url.includes('/api/') && !headers.has('X-Plimsoll-Spend')
        // No sign-in makes this read.
        return fetch(isScreen ? new Request(`${APP}/api/rate_limit`, { method, headers }) : request)
      },
    },
  },
  'forgets a 429 that does not say which limit is over': {
    violates: 'the service has nothing more to say against the client',
    choices: { hdrclass: 'update' },
    unaided: true,
    breakage: withNotes((note) => {
      const clear = Object.entries(note.pauses).filter(([, { code }]) => code !== 'limit_unknown')
      return { ...note, pauses: Object.fromEntries(clear) }
    }),
  },
}
