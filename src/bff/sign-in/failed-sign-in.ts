/** Logs sign-ins that fail, each with a name of its network address. */
import { asProblem, isStoreFailure } from '../../contract/problem.ts'
import { bestEffort, type Context } from '../core/context.ts'
import { nameAddress } from '../core/server-key.ts'

/** The line has no source if the store, which has the key, fails. @throws the error of `work` */
export async function logFailedSignIn<T>(context: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const source = isStoreFailure(error) ? undefined : await bestEffort(nameAddress(context))
    const { code } = asProblem(error)
    context.log({ level: 'warn', event: 'sign_in', code, ...(source !== undefined && { source }) })
    throw error
  }
}
