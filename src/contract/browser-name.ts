/** The body of `PUT /bff/browser`. */
import { parseChosenName } from './chosen-name.ts'
import { closedObject } from './closed-object.ts'

export interface BrowserNameRequest {
  /** Empty: the browser has its coarse name again. */
  name: string
}

/** @throws Problem `invalid_request` for any other body */
export const parseBrowserNameRequest = (body: unknown): BrowserNameRequest => ({
  name: parseChosenName(closedObject(body, ['name']).name),
})
