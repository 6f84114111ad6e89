/** The sender in a row of the ledger: the person, and the browser if the person has several. */

interface Sender {
  owner: string
  record: { browserId?: string | undefined; person?: string | undefined }
}

/** The owner of the session. For a paired one: the owner of the session that opened it. */
export const personOf = ({ owner, record: { person } }: Sender): string => person ?? owner

/** No person has a slash. */
export function senderOf(session: Sender): string {
  const { browserId } = session.record
  return browserId === undefined ? personOf(session) : `${personOf(session)}/${browserId}`
}

export const personIn = (sender: string | undefined): string | undefined => sender?.split('/')[0]
