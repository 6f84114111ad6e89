/** Asks for the quota, which is free. A separate file: the sign-in page does not need the parser. */
import { parseQuota, type QuotaSnapshot } from '../../contract/quota.ts'
import { requestJson } from '../lib/api.ts'
import { freePath } from '../lib/free-path.ts'

export const getQuota = async (): Promise<QuotaSnapshot> => parseQuota(await requestJson(freePath('quota')))
