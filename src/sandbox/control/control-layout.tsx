/** @jsxImportSource hono/jsx */
/** What every page of the control plane is written from, and what all of them show. */
import type { Actions } from './actions.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { HonoContext, Context } from '../state/context.ts'

export interface ControlContext {
  actions: Actions
  context: Context
  /** The one value that our own forms carry, so that no other page can send them. */
  csrfToken: string
}

const PAGES = { '': 'Clock and ledger', choices: 'All choices' }

/** The pages of the control plane. @param current the path of the one that is open */
export const Tabs = ({ c, current }: { c: HonoContext; current: keyof typeof PAGES }) => (
  <nav class="tabs" aria-label="Control plane">
    {Object.entries(PAGES).map(([path, name]) => (
      <a key={path} href={linkTo(c, path)} aria-current={path === current ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
)

/** Stands in every form. */
export const CsrfField = ({ csrfToken }: Pick<ControlContext, 'csrfToken'>) => (
  <input type="hidden" name="csrf_token" value={csrfToken} />
)

/** Says why a form did nothing. */
export const writeFailure = (
  c: HonoContext,
  description: string,
  status: number,
): Response | Promise<Response> =>
  writePage(
    c,
    { title: 'This did not work', status },
    <section class="card">
      <h1>This did not work</h1>
      <p>{description}</p>
      <p>
        <a href={linkTo(c, '')}>To the clock and the ledger</a>
      </p>
    </section>,
  )
