/** A request that is about to be sent, as the ledger takes it. */
export const RESERVATION = {
  organization: '1001',
  token: 'a token',
  kind: 'api.read',
  method: 'GET',
  path: '/organizations/{id}',
  initiator: 'person',
} as const
