// `npm run deploy`: vitest runs deploy.ts beside a copy of this machine.
import { spawnSync } from 'node:child_process'

const NEEDED = ['unshare', 'nsenter', 'ip', 'systemctl', 'nginx', 'runuser', 'psql', 'openssl', 'curl']
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tools/deploy/vitest.config.ts']

process.env.PLIMSOLL_STARTER = process.pid
process.env.PATH += ':/usr/sbin:/sbin'
const missing = NEEDED.filter((name) => spawnSync('which', [name]).status !== 0)
if (process.getuid?.() !== 0) missing.unshift('root')
if (missing.length > 0) console.error(`NOT RUN: it needs ${missing.join(', ')}.`)
const script = ['--net', '--mount', 'sh', 'tools/deploy/container.sh', process.execPath, ...VITEST]
const { status } = missing.length > 0 ? { status: 1 } : spawnSync('unshare', script, { stdio: 'inherit' })
process.exitCode = status ?? 1
