/** The sender in a row of the ledger: the owner of the session, and the browser if the owner has several. */

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
