/** @jsxImportSource hono/jsx */
/** What the pages of the control plane get, and the parts that they share. */
import { linkTo, writePage } from '../http/page.tsx'
import type { Context, HonoContext } from '../state/context.ts'
import type { Actions } from './actions.ts'

export interface ControlContext {
  actions: Actions
  context: Context
  /** The value in every form of these pages, so that no other site can send them. */
  csrfToken: string
}

const PAGES = { '': 'Clock and request log', choices: 'All choices' }

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

/** Part of every form. */
export const CsrfField = ({ csrfToken }: Pick<ControlContext, 'csrfToken'>) => (
  <input type="hidden" name="csrf_token" value={csrfToken} />
)

/** Shows why a form was refused. */
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
        <a href={linkTo(c, '')}>To the clock and the request log</a>
      </p>
    </section>,
  )
