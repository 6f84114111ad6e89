/** Asks for the snapshot of the quota, which is free. A file of its own, since the sign-in page does not need the reader. */
import { BFF } from '../../contract/api.ts'
import { parseQuota, type QuotaSnapshot } from '../../contract/quota.ts'
import { requestJson } from '../lib/api.ts'

export const getQuota = async (): Promise<QuotaSnapshot> => parseQuota(await requestJson(BFF.quota))
