/** A client for each invariant, broken on purpose, and the commands at which the invariant notices it. */
import { DAY_MS } from '../../src/contract/duration.ts'
import { PLANS } from '../../src/contract/plan.ts'
import type { Choices } from '../../src/sandbox/choices/choices.ts'
import type { Store, Tables } from '../../src/store/store.ts'
import { withMethods } from '../../test/kit/store-methods.ts'
import { COOKIES, SERVICE } from '../../test/kit/config.ts'
import {
  claims,
  type Command,
  deleteApplication,
  enterReading,
  hourLater,
  looks,
  othersSpend,
  presses,
  replay,
  signIn,
  signOut,
  together,
  trouble,
  useUpMinute,
  useUpMonth,
  withdraw,
} from './commands.ts'
import type { InvariantName } from './invariants.ts'
import { type Breakage, waitIterations } from './world.ts'

interface Broken {
  /** What the client does wrong. */
  planted: string
  commands: readonly Command[]
  /** Where the default choices would hide the fault, or show more than one. */
  choices?: Partial<Choices>
  breakage: Breakage
}

const [ada, read] = [signIn('ada'), presses('ada')]

const copyOf = ({ url, method, headers }: Request, body: string): Request =>
  new Request(url, { method, headers, ...(body !== '' && { body }) })

const isRefresh = (body: string) => body.includes('grant_type=refresh_token')

/** Sends a request in its own way. */
const sending = (
  instead: (request: Request, body: string, send: () => Promise<Response>) => Promise<Response>,
): Breakage => ({
  upstream: (send) => async (request) => {
    const body = await request.text()
    return instead(request, body, () => send(copyOf(request, body)))
  },
})

/** Sends a request once more, if it is one of these. */
const again = (isMeant: (request: Request, body: string, answer: Response) => boolean): Breakage =>
  sending(async (request, body, send) => {
    const answer = await send()
    return isMeant(request, body, answer) ? send() : answer
  })

const inStore = (broken: (tables: Tables, store: Store) => Partial<Tables>): Breakage => ({
  store: (store) => withMethods(store, (tables) => broken(tables, store)),
})

/** Replaces the first match in each answer. */
const replacing = (pattern: RegExp, by: string): Breakage => ({
  answers: (fetch) => async (request) => {
    const answer = await fetch(request)
    return new Response(answer.body && (await answer.text()).replace(pattern, by), answer)
  },
})

/** A stored note; only the members that are changed here matter. */
interface Note {
  value: {
    pauses: Record<string, { code: string }>
    suspicion?: object
  }
}

/** Changes what is written into the notes whose name begins so. */
const inNotes = (begin: string, alter: (note: Note, known: unknown) => void): Breakage =>
  inStore((tables) => ({
    changeNote: (name, change, ...others) =>
      tables.changeNote(
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
  inStore((tables) => ({
    countByKind: async (organization, ...between) => {
      const counted = await tables.countByKind(organization, ...between)
      return organization === '2002' ? alter(counted) : counted
    },
  }))

/** A note of what is learnt, with a zone in which the service resets no month. */
const MISTAKEN = {
  format: 2,
  value: {
    resets: [],
    zones: ['Pacific/Marquesas'],
    steps: [],
    confirmed: {},
    forgotten: {},
  },
}

export const BROKEN: Readonly<Record<InvariantName, Broken>> = {
  'no secret leaves the bff': {
    planted: 'it quotes a token in a header of its answers',
    commands: [ada],
    breakage: {
      answers:
        (fetch, { calls }) =>
        async (request) => {
          const answer = await fetch(request)
          answer.headers.set('X-Debug', calls.at(-1)?.headers.get('Authorization') ?? '')
          return answer
        },
    },
  },
  'never two credentials, never one in an address': {
    planted: 'it sends its token in a cookie, too',
    commands: [ada],
    breakage: {
      upstream: (send) => async (request) => {
        request.headers.set('Cookie', `token=${request.headers.get('Authorization')}`)
        return send(request)
      },
    },
  },
  'nothing but the specified endpoints': {
    planted: 'it asks for another address, too',
    commands: [ada],
    breakage: {
      upstream: (send) => async (request) => {
        if (request.method === 'GET') await send(new Request(`${SERVICE}/style.css`))
        return send(request)
      },
    },
  },
  'nothing is sent without an action': {
    planted: 'it asks the service when the page asks for the quota',
    commands: [ada, looks('ada')],
    breakage: {
      answers: (fetch, world) => async (request) => {
        if (request.url.endsWith('/bff/quota')) await world.send(new Request(`${SERVICE}/rate_limit`))
        return fetch(request)
      },
    },
  },
  'every request is recorded before it is sent': {
    planted: 'it writes the row of a request only when it has been sent',
    commands: [ada],
    breakage: inStore((_, store) => ({
      addEntry: async (row) => void waitIterations(1).then(() => store.addEntry(row)),
      settle: async (...outcome) => void waitIterations(5).then(() => store.settle(...outcome)),
    })),
  },
  'one press, one request': {
    planted: 'it repeats a read that failed',
    commands: [ada, trouble('organization', 'server_error')],
    breakage: again(({ method }, _, { status }) => method === 'GET' && status >= 500),
  },
  'a 429 is never repeated': {
    planted: 'it repeats a 429',
    commands: [ada, useUpMinute(false)],
    choices: { remaining: 'before_request' },
    breakage: again((_request, _body, { status }) => status === 429),
  },
  'one refresh at a time': {
    planted: 'it refreshes twice at the same time',
    commands: [ada, hourLater, read],
    choices: { rotation: 'same' },
    breakage: sending(async (_, body, send) => {
      const [answer] = await Promise.all([send(), isRefresh(body) && send()])
      return answer
    }),
  },
  'no refresh token twice, but after a lost answer': {
    planted: 'it sends every refresh token once more',
    commands: [ada, hourLater, read],
    choices: { reuse: 'accepted' },
    breakage: again((_, body) => isRefresh(body)),
  },
  'no code twice': {
    planted: 'it sends a code twice',
    commands: [ada],
    choices: { codereplay: 'refused' },
    breakage: sending(async (_, body, send) => {
      const answer = await send()
      if (body.includes('authorization_code')) await send()
      return answer
    }),
  },
  'no state twice': {
    planted: 'it takes a state as often as it comes',
    commands: [signIn('ben'), replay],
    choices: { codereplay: 'refused' },
    breakage: inStore((tables) => ({
      changeNote: (name, change, lapsesAtMs) =>
        tables.changeNote(
          name,
          (known) => change(name.startsWith(COOKIES.login) ? undefined : known),
          lapsesAtMs,
        ),
    })),
  },
  'a session that has ended stays ended': {
    planted: 'it leaves a session alive that has ended',
    commands: [signIn('ben'), withdraw, ada, signOut('ada')],
    breakage: inStore((tables) => ({
      endSession: async () => true,
      changeNote: (name, change, ...others) =>
        tables.changeNote(name, (known) => change(known) ?? (known as never), ...others),
    })),
  },
  'a session ends for one of the reasons': {
    planted: 'it takes a refused client secret for the end of the grant',
    commands: [ada, deleteApplication],
    breakage: sending(async (_, body, send) => {
      const answer = await send()
      const isMeant = isRefresh(body) && answer.status >= 400
      return isMeant ? Response.json({ error: 'invalid_grant' }, { status: 400 }) : answer
    }),
  },
  'an answer is of its own organization': {
    planted: 'it gives one answer to all who read the limits at the same time',
    commands: [ada, signIn('cleo'), together],
    breakage: {
      upstream: (send) => {
        let first: Promise<Response> | undefined
        return async (request) => {
          if (!request.url.endsWith('/rate_limit')) return send(request)
          const own = send(request)
          first ??= own
          const [{ status, headers }, shared] = await Promise.all([own, first])
          return new Response(await shared.clone().text(), { status, headers })
        }
      },
    },
  },
  'one try a minute while the month is used up': {
    planted: 'it tries the used-up month at every press',
    commands: [ada, useUpMonth(false)],
    breakage: inStore((tables) => ({
      readNewestAtMs: async () => undefined,
      readNotes: async (names) => {
        const notes = await tables.readNotes(names)
        return notes.map((note, nth) => (names[nth]?.startsWith('month try ') ? undefined : note))
      },
    })),
  },
  'a pause is no longer than its limit': {
    planted: 'it states pauses that are far too long',
    commands: [ada, useUpMinute(true)],
    choices: { remaining: 'before_request' },
    breakage: replacing(/(?<="code":"rate_limited","retry_in_ms":)/, '9'),
  },
  'one probe after a reset': {
    planted: 'it does not see the requests that are under way',
    commands: [ada, useUpMinute(false)],
    breakage: inStore(() => ({ countInFlight: async (tokens) => tokens.map(() => 0) })),
  },
  'the month is between low and high': {
    planted: 'it counts nothing in its ledger',
    commands: [signIn('cleo')],
    breakage: inCounts(() => []),
  },
  'the month is no wider than what is unknown': {
    planted: 'it states that the month is anything up to a million',
    commands: [signIn('cleo')],
    breakage: inCounts((counted) => [
      ...counted,
      { kind: 'token.code', outcome: 'uncertain', succeeded: false, count: 1_000_000 },
    ]),
  },
  'with a reading, the month of the organization is between low and high': {
    planted: 'it takes readings for two fewer than they are',
    commands: [ada, othersSpend, enterReading],
    breakage: inStore((store) => ({
      listReadings: async (...asked) =>
        (await store.listReadings(...asked)).map((one) => ({ ...one, count: Math.max(0, one.count - 2) })),
    })),
  },
  'a refusal over the month is shown until it ends': {
    planted: 'it forgets that the service refused over the month',
    commands: [ada, useUpMonth(false)],
    breakage: inNotes('organization ', ({ value }) => void delete value.suspicion),
  },
  'what is learnt of the service is so': {
    planted: 'it learns a zone in which the service resets no month',
    commands: [ada],
    breakage: inStore((tables) => ({
      readNotes: async (names) => {
        const notes = await tables.readNotes(names)
        return notes.map((note, nth) => (names[nth]?.startsWith('service http') ? MISTAKEN : note))
      },
    })),
  },
  'a press costs what its button said': {
    planted: 'it leaves the refresh out of the price',
    commands: [ada, hourLater, read],
    choices: { toklimit: 'counts_as_update' },
    breakage: replacing(/"refresh":\{[^}]*\},/, ''),
  },
  'a sign-in that is not proven changes no figures': {
    planted: 'it takes the limits of a refused sign-in for those of its organization',
    commands: [signIn('cleo'), claims('made-up code')],
    breakage: {
      answers:
        (fetch, { app }) =>
        async (request) => {
          const answer = await fetch(request)
          const note = { format: 1, value: { limits: { read: PLANS.standard.read_per_minute } } }
          if (request.url.endsWith('/bff/session') && answer.status >= 400)
            await app.store.changeNote('organization 2002', () => note, app.now() + DAY_MS)
          return answer
        },
    },
  },
  'the service counts no request that is not recorded': {
    planted: 'it reads once more over a connection of its own',
    commands: [signIn('key'), presses('key')],
    breakage: {
      upstream: (send, world) => async (request) => {
        if (request.headers.has('X-Service-Api-Key')) await world.app.sandbox.fetch(request.clone())
        return send(request)
      },
    },
  },
  'every failure is one of the table': {
    planted: 'it states what failed in another media type',
    commands: [ada, trouble('organization', 'server_error')],
    breakage: {
      answers: (fetch) => async (request) => {
        const answer = await fetch(request)
        if (answer.status >= 500) answer.headers.set('Content-Type', 'application/json')
        return answer
      },
    },
  },
  'every ending has a reason': {
    planted: 'it has no stored copy for a screen',
    commands: [ada, looks('ada')],
    breakage: {
      answers: (fetch) => async (request) => {
        const isScreen = request.url.includes('/api/') && !request.headers.has('X-Plimsoll-Spend')
        // No sign-in makes this read.
        return fetch(isScreen ? new Request(new URL('/api/rate_limit', request.url), request) : request)
      },
    },
  },
  'nothing is sent that is known to be over': {
    planted: 'it forgets a 429 that does not say which limit is over',
    commands: [ada, useUpMinute(true)],
    choices: { hdrclass: 'update' },
    breakage: inNotes('token ', ({ value }) => {
      const clear = Object.entries(value.pauses).filter(([, { code }]) => code !== 'limit_unknown')
      value.pauses = Object.fromEntries(clear)
    }),
  },
}
