/** The types of the package `@plimsoll/sandbox`, which gets this file as its own. */

/** By name, for example { rotation: 'same' }; docs/service.md lists them. */
export type Choices = Record<string, string>

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

export interface LoggedRequest {
  number: number
  at_ms: number
  method: string
  path: string
  /** `served`, or why it was refused. */
  rule: string
  status?: number
  credential?: string
  /** What the client did wrong, by the document of the service. */
  verdict?: string
}

/** The actions of the control plane as methods. An argument that is not valid throws. */
export interface Control {
  fetch(request: Request): Promise<Response>
  choices(): Choices
  changeChoices(changes: Choices): Choices
  /** UNIX milliseconds by the sandbox's clock. */
  nowMs(): number
  moveClock(
    command:
      | { do: 'advance' | 'set'; ms: number }
      | { do: 'freeze' | 'run' | 'to_next_minute' | 'to_token_end' | 'to_month_end' },
  ): void
  requestLog(): readonly LoggedRequest[]
  clearRequestLog(): void
  addFault(fault: { operation: string; kind: string; [more: string]: unknown }): void
  clearFaults(): void
  changeLimits(limits: Record<string, Record<string, number | null>>): void
  changePlans(plans: Record<string, 'standard' | 'business'>): void
  changeUsage(usage: Record<string, { month?: number; read?: number; update?: number }>): void
  applyPreset(preset: { name: string }): void
  snapshot(): unknown
  restore(state: unknown): void
  reset(): void
  seed(seed: Partial<Seed>): void
}

export interface StartOptions {
  /** 0, the default, stands for any two free ports; otherwise the control plane is one port above. */
  port?: number
  host?: string
  /** Opens an address that others can reach: the sandbox asks for no password. */
  anyAddress?: boolean
  /** Where the control plane listens; 127.0.0.1 by default. Any other address needs a token file. */
  controlHost?: string
  /** Each request to the control plane then needs the token of this file, as `Authorization: Bearer`. */
  controlTokenFile?: string
  /** Further names by which clients may ask. */
  allowedHosts?: readonly string[]
  /** Records in place of the built-in ones. */
  seed?: Partial<Seed>
  choices?: Choices
  /** A time such as 2026-11-30T23:59:00Z, at which the clock stands. */
  freeze?: string
  /** The path in front of every address, for example `/a/b`. */
  basePath?: string
}

export interface RunningSandbox {
  url: string
  controlUrl: string
  /** The records, with every secret of them. */
  seed: Seed
  control: Control
  /** Back to the records, the choices and the time of the start. */
  reset(): void
  close(): Promise<void>
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
  choices?: Choices
  basePath?: string
}): { fetch(request: Request): Promise<Response>; control: Control; snapshot(): unknown }
