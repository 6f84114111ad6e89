// Decides which modules share a file. A browser has six connections and each file costs a round trip, so a
// few files load faster than many.
import { fileURLToPath } from 'node:url'

/** The bundler names modules with slashes, on Windows too. */
const source = (file: string) =>
  fileURLToPath(new URL(`../../src/web/${file}`, import.meta.url)).replaceAll('\\', '/')
/** The entry modules of each file. A module is in the first file that needs it statically. */
const CHUNKS: Record<string, string[]> = {
  first: [source('app/main.tsx')],
  'signed-in': [
    source('app/signed-in.tsx'),
    ...['placeholder.tsx', 'queries.ts'].map((file) => source(`chart/${file}`)),
    source('readings/queries.ts'),
  ],
  // Late parts of both following files have it.
  copy: [source('components/copy-field.tsx')],
  record: ['organization/fields.tsx', 'organization/changes.ts'].map(source),
  'side-pages': [source('app/side-screen.tsx')],
}

interface Graph {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

function reach(graph: Graph, ids: readonly string[], seen = new Set<string>()): Set<string> {
  for (const id of ids)
    if (!seen.has(id)) reach(graph, graph.getModuleInfo(id)?.importedIds ?? [], seen.add(id))
  return seen
}

/** The name of a module's file, independent of the bundler's order; `null` for a file of its own. */
export function chunkOf(id: string, graph: Graph): string | null {
  // The bundler's own helpers.
  if (id.startsWith('\0rolldown/')) return 'first'
  if (/\/node_modules\/@tanstack\//.test(id)) return 'query'
  for (const [name, begin] of Object.entries(CHUNKS)) if (reach(graph, begin).has(id)) return name
  return null
}
