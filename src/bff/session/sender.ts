/** Names the sender in the rows of the ledger: the owner of a session, and the browser where it may be one of several. */

/** No owner has a slash. */
export const senderOf = ({
  owner,
  record: { browserId },
}: {
  owner: string
  record: { browserId?: string | undefined }
}): string => (browserId === undefined ? owner : `${owner}/${browserId}`)

/** The owner of the session that sent a row. */
export const personOf = (sender: string | undefined): string | undefined => sender?.split('/')[0]
