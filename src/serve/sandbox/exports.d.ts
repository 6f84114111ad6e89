/** The types of the package `@plimsoll/sandbox`, which gets this file as its own. */

export interface Seed {
  organizations: {
    id: number
    name: string
    plan: 'standard' | 'business'
    details: Record<string, unknown>
    projects: { name: string; lead: string; open_tasks: number; done_tasks: number; due_on: string }[]
  }[]
  people: {
    id: string
    name: string
    organizations: { organization_id: number; role: 'administrator' | 'member' }[]
  }[]
  applications: {
    client_id: string
    client_secret: string
    name: string
    description?: string
    redirect_uri: string
    organization_id: number
  }[]
  api_keys: { value: string; description?: string; organization_id: number; issued_by: string }[]
  /** The source of all random values. */
  random: string
}

export interface StartOptions {
  /** 0, the default, stands for any two free ports; otherwise the control plane is one port above. */
  port?: number | undefined
  host?: string | undefined
  /** Opens an address that others can reach: the sandbox asks for no password. */
  anyAddress?: boolean | undefined
  /** Where the control plane listens; 127.0.0.1 by default. Any other address needs a token file. */
  controlHost?: string | undefined
  /** Each request to the control plane then needs the token of this file, as `Authorization: Bearer`. */
  controlTokenFile?: string | undefined
  /** Further names by which clients may ask. */
  allowedHosts?: readonly string[] | undefined
  /** Records in place of the built-in ones. */
  seed?: Partial<Seed> | undefined
  /** By name, for example { rotation: 'same' }; `/openapi.json` of the control plane lists them. */
  choices?: Record<string, string> | undefined
  /** A time such as 2026-11-30T23:59:00Z, at which the clock stands. */
  freeze?: string | undefined
  /** The path in front of every address, for example `/a/b`. */
  basePath?: string | undefined
}

/** `fetch` answers all that `/openapi.json` describes. */
export interface Control {
  fetch: (request: Request) => Promise<Response>
  /** UNIX milliseconds by the sandbox's clock. */
  nowMs: () => number
  requestLog: () => readonly { method: string; path: string; status?: number; verdict?: string }[]
}

export interface RunningSandbox {
  url: string
  controlUrl: string
  /** The records, with every secret of them. */
  seed: Seed
  control: Control
  /** Back to the records of the last seed, and to the choices and the clock of the start. */
  reset: () => void
  close: () => Promise<void>
}

/** Starts the service and its control plane. Nothing is stored. */
export function startSandbox(options?: StartOptions): Promise<RunningSandbox>

export function seedFor(options: {
  publicUrl: string
  clientId?: string
  clientSecret?: string
  apiKey?: string
  random: string
}): Seed

/** Without a socket. The same seed, clock and calls give the same bytes. */
export function createSandbox(options: {
  seed: Seed
  now: () => number
  choices?: Record<string, string>
  basePath?: string
}): { fetch(request: Request): Promise<Response>; control: Control; snapshot(): unknown }
