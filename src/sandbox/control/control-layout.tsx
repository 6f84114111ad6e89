/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { CALLBACK_PATH } from '../../contract/authorize.ts'
import { linkTo, writePage } from '../http/page.tsx'
import type { Context } from '../state/context.ts'
import type { Actions } from './actions.ts'
import type { Answered, HandlerContext } from '../http/handler-context.ts'

export interface ControlContext {
  actions: Actions
  context: Context
  query: URLSearchParams
  /** In every form of these pages: without it another site could send them. */
  csrfToken: string
}

const CONTROL_PAGES = { '': 'Overview', choices: 'Choices' }

interface ControlPageOptions {
  title: string
  current: keyof typeof CONTROL_PAGES
}

export const writeControlPage = (
  c: HandlerContext,
  { context }: Pick<ControlContext, 'context'>,
  { title, current }: ControlPageOptions,
  content: Child,
): Answered =>
  writePage(
    c,
    { title, styles: ['clock.css'], links: appLinks(context) },
    <>
      <h1>{title}</h1>
      <Tabs c={c} current={current} />
      {content}
    </>,
  )

const Tabs = ({ c, current }: { c: HandlerContext; current: keyof typeof CONTROL_PAGES }) => (
  <nav class="tabs" aria-label="Control plane">
    {Object.entries(CONTROL_PAGES).map(([path, name]) => (
      <a key={path} href={linkTo(c, path)} aria-current={path === current ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
)

/** Links to each app whose redirect URI is that of Plimsoll. */
const appLinks = ({ state }: Pick<Context, 'state'>) =>
  state.applications
    .filter(({ redirect_uri: uri }) => /^https?:/i.test(uri) && uri.endsWith(CALLBACK_PATH))
    .map(({ name, redirect_uri }) => ({
      text: `Open ${name}`,
      href: `${redirect_uri.slice(0, -CALLBACK_PATH.length)}/`,
    }))

export const CsrfField = ({ csrfToken }: Pick<ControlContext, 'csrfToken'>) => (
  <input type="hidden" name="csrf_token" value={csrfToken} />
)

interface SelectProps {
  label: string
  name: string
  options: readonly (readonly [value: string, text: string])[]
  selected?: string
}

export const Select = ({ label, name, options, selected }: SelectProps) => (
  <label>
    {label}
    <select name={name}>
      {options.map(([value, text]) => (
        <option key={value} value={value} selected={value === selected}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

interface NumberFieldProps {
  label: string
  name: string
  value?: number | undefined
  min?: number
  max?: number
  placeholder?: string
  class?: string
}

export const NumberField = ({ label, class: className, min = 0, ...input }: NumberFieldProps) => (
  <label class={className}>
    {label}
    <input class="number" type="number" step="1" min={min} {...input} />
  </label>
)

/** `undefined` if the field is empty, NaN if it has no whole number. */
export function numberOf(form: URLSearchParams, name: string): number | undefined {
  const text = form.get(name) ?? ''
  if (text === '') return undefined
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

export const writeFailure = (c: HandlerContext, description: string, status: number): Answered =>
  writePage(
    c,
    { title: 'This did not work', status },
    <section class="card">
      <h1>This did not work</h1>
      <p>{description}</p>
      <p>
        <a href={linkTo(c, '')}>To the control plane</a>
      </p>
    </section>,
  )
