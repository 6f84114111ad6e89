/** Checks whether a Redis server can be the store, and what a power loss would cost. */

type Send = (...command: string[]) => Promise<unknown>

/** The oldest server that the scripts were written for. */
const LEAST_VERSION = [6, 2] as const

/** @returns a sentence for the operator; empty if all is well @throws Error if it cannot be the store */
export async function checkServer(send: Send): Promise<string> {
  const info = readInfo(String(await send('INFO')))
  const { redis_version: version = '', role, maxmemory = '0', maxmemory_policy: policy } = info
  if (isOlder(version))
    throw new Error(`Redis ${version} is too old: at least ${LEAST_VERSION.join('.')} is needed`)
  if (role === 'slave') throw new Error('it is a read-only replica: name the primary')
  if (maxmemory !== '0' && policy !== 'noeviction')
    throw new Error(
      `its maxmemory-policy is ${policy}, which would remove sessions and counted requests: set it to noeviction`,
    )
  return durabilityNotice(info.aof_enabled === '1', await fsyncPolicy(send))
}

const readInfo = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    text.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  )

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1])
}

/** `undefined` if the server forbids CONFIG, as managed servers do. */
async function fsyncPolicy(send: Send): Promise<string | undefined> {
  try {
    const answer = await send('CONFIG', 'GET', 'appendfsync')
    return (answer as { appendfsync?: string }).appendfsync
  } catch {
    return undefined
  }
}

function durabilityNotice(isAppendOnly: boolean, fsync: string | undefined): string {
  const loses = (what: string) =>
    `a power loss loses ${what}: sessions, sign-outs, counted requests. Set appendonly yes and appendfsync always.`
  if (!isAppendOnly)
    return `Redis has appendonly off: a restart or ${loses('everything since its last snapshot')}`
  if (fsync === undefined)
    return `Redis does not show its appendfsync: unless it is always, ${loses('the last seconds')}`
  if (fsync === 'everysec') return `Redis has appendfsync everysec: ${loses('up to the last two seconds')}`
  if (fsync === 'always') return ''
  return `Redis has appendfsync ${fsync}: ${loses('what the system has not written yet, often half a minute')}`
}
