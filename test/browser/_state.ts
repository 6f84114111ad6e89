// A state of the page that people see, and the place where a browser gets into it.
import type { Page } from 'playwright-core'
import type { AppProcess } from '../kit/app-process.ts'

/** An app, and a browser in which one person is signed in and another is not. */
export interface Place {
  app: AppProcess
  control: (path: string, body?: unknown, method?: string) => Promise<unknown>
  /** A page of a person who is not signed in. */
  guest: (path?: string) => Promise<Page>
  /** A page of a person who is signed in. @param before runs before the page loads */
  member: (path?: string, before?: (page: Page) => Promise<unknown>) => Promise<Page>
  /** @returns the uncaught errors and violated policies since the last call */
  takeComplaints: () => string[]
}

export interface State {
  name: string
  open: (place: Place) => Promise<Page>
  /** Removes what the state left behind, for the states after it. */
  end?: (page: Page, place: Place) => Promise<unknown>
  isEnglish?: true
  /** It has the parts of another state, and only the whole run looks at it. */
  isVariant?: true
}
