// Replaces `npm ci` where packages are installed already, because npm needs minutes for them.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { findProgram } from '../../test/kit/program.ts'
import { type Machine, putProgram } from './machine.ts'

/**
 * Replaces npm by a program that copies the packages that `npm ci` would install, and passes all other
 * commands to npm.
 */
export function putInstalledPackages(machine: Machine): void {
  const npm = findProgram(['npm'])
  const copy = `cd ${resolve('node_modules')} && cp -r --parents ${productionPackages().join(' ')} "$target"`
  putProgram(
    machine,
    'npm',
    `case "$*" in
ci) exec ln -s ${resolve('node_modules')} node_modules ;;
"ci --omit=dev --prefix "*) target=$4/node_modules && mkdir "$target" && ${copy} ;;
*) exec ${npm} "$@" ;;
esac`,
  )
}

/** The folders in node_modules that are not for development alone. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  return Object.entries(packages)
    .filter(
      ([at, { dev, devOptional }]) =>
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(at) && !dev && !devOptional && existsSync(at),
    )
    .map(([at]) => at.slice('node_modules/'.length))
}
