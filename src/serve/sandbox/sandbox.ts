/** Opens the sandbox: its state file, its listener and the listener of its control plane. */
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { describe } from '../../bff/core/problem.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts'
import { seedFor } from '../../sandbox/state/seed.ts'
import type { Seed } from '../../sandbox/state/seed.ts'
import { logForeignHost } from '../observe/foreign-host.ts'
import { log } from '../observe/log.ts'
import { LOOPBACK } from './address.ts'
import { NO_FILE, openSandboxFile, type SandboxFile } from './file.ts'
import { begin, openSandboxAt } from './listeners.ts'
import { openStoredSandbox, type StoredSandbox } from './state.ts'
import type { Beginning } from '../settings/command-line.ts'
import type { Settings } from '../settings/settings.ts'

/** A kill loses no more. */
const SAVE_AFTER_MS = 200
/** The file is written anew once so much has been appended, and as much as it had. */
const LEAST_APPENDED = 4 * 1024 * 1024

export interface OpenSandbox {
  /** {base_url}. */
  url: string
  /** Address of the control plane. */
  controlUrl: string
  apiKeyHeader: string
  /** The seed of the settings, or of the last `POST /seed`. */
  seed: Seed
  close: () => Promise<void>
}

/**
 * Opens the sandbox on a loopback address, so that app and service are different sites, as in production. Its
 * control plane is one port above, on loopback unless `--control-host` says otherwise.
 * @throws Error in one sentence if its state file or one of its ports is taken
 */
export async function openSandbox(
  settings: Settings,
  host = LOOPBACK,
  beginning: Beginning = {},
): Promise<OpenSandbox> {
  const isKnown = [beginning.seedFile, beginning.choicesFile, beginning.frozenAtMs].some(
    (one) => one !== undefined,
  )
  const file = isKnown ? NO_FILE : openFile(settings)
  try {
    const { apiKeyHeader, allowedHosts, sandboxPort } = settings
    const at = {
      ...beginning,
      port: beginning.port ?? sandboxPort,
      host,
      allowedHosts,
      apiKeyHeader,
      onForeignHost: logForeignHost,
    }
    const { sandbox, save, url, controlUrl, close } = await openSandboxAt(at, (parts) => {
      const opened = openState(settings, file, parts)
      begin(opened.sandbox, beginning)
      return opened
    })
    return {
      url,
      controlUrl,
      apiKeyHeader,
      seed: sandbox.currentSeed(),
      async close() {
        await close()
        save()
        file.release()
      },
    }
  } catch (error) {
    file.release()
    throw error
  }
}

/** The file is beside the database file, or in its default folder. */
function openFile({ store }: Settings): SandboxFile {
  if (store.kind === 'postgres') return openSandboxFile(join('data', 'sandbox.json'))
  return store.path === ':memory:' ? NO_FILE : openSandboxFile(join(dirname(store.path), 'sandbox.json'))
}

/** Opens the state of the file. It is saved a moment after each change. */
function openState(
  settings: Settings,
  file: SandboxFile,
  parts: Pick<SandboxOptions, 'now' | 'wait' | 'openWorld' | 'apiKeyHeader' | 'controlToken'>,
): { sandbox: Sandbox; save: () => void } {
  const { publicUrl, clientId, clientSecret, tokenEncoding } = settings
  let saving: NodeJS.Timeout | undefined
  const stored = openStoredSandbox({
    text: file.text,
    random: () => randomBytes(32).toString('base64url'),
    seedFor: (random) => seedFor({ publicUrl, clientId, clientSecret, random }),
    ...parts,
    // The app uses the encoding of the setting, so the sandbox must read it.
    choices: { enc: tokenEncoding === 'json' ? 'json_only' : 'form_only' },
    onChange: () => {
      saving ??= setTimeout(save, SAVE_AFTER_MS).unref()
    },
  })
  const save = () => {
    clearTimeout(saving)
    saving = undefined
    store()
  }
  const { sandbox, damage } = stored
  const store = createStore(file, stored)
  if (damage !== undefined) {
    const name = file.setAside(Date.now())
    process.stderr.write(`The sandbox starts with new state, since ${damage}. The old file is ${name}.\n`)
  }
  save()
  return { sandbox, save }
}

/** @returns a function that appends what has changed, or writes all of it anew where the file is long */
function createStore(file: SandboxFile, { write, nextLine }: Pick<StoredSandbox, 'write' | 'nextLine'>) {
  let written = 0
  let appended = Infinity
  return () => {
    try {
      const isLong = appended > Math.max(LEAST_APPENDED, written)
      const text = isLong ? write() : (nextLine() ?? '')
      if (isLong) file.write(text)
      else file.append(text)
      if (isLong) written = text.length
      appended = isLong ? 0 : appended + text.length
    } catch (cause) {
      // A full disk is no reason to stop: the next change writes the lost line too, in the whole text.
      appended = Infinity
      log({ level: 'warn', event: 'problem', cause: describe(cause) })
    }
  }
}
