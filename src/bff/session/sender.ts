/** The sender in a row of the ledger: the person, and the browser if the person has several. */
import type { SessionRecord } from './format.ts'

interface Sender {
  owner: string
  record: { [Name in 'browserId' | 'person']?: SessionRecord[Name] | undefined }
}

/** The owner of the session, or of that from which it was opened in this browser. */
export const personOf = ({ owner, record: { person } }: Sender): string => person ?? owner

/** No person has a slash. */
export const senderOf = (session: Sender): string =>
  session.record.browserId === undefined
    ? personOf(session)
    : `${personOf(session)}/${session.record.browserId}`

export const personIn = (sender: string | undefined): string | undefined => sender?.split('/')[0]
