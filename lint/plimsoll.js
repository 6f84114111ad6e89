// The lint rules of this project that oxlint does not have. Loaded by .oxlintrc.json through jsPlugins.
import { posix } from 'node:path'

const rule = (message, create) => ({
  meta: { type: 'problem', messages: { never: message } },
  create: (context) =>
    create((at, data = {}) => context.report({ ...at, messageId: 'never', data }), context),
})

/** The folders of src/sandbox: each may import itself and those before it. */
const SANDBOX_FOLDERS = [
  'choices',
  'state',
  'http',
  'api',
  'limits',
  'token',
  'authorize',
  'settings',
  'control',
]

/** What each folder of src may import besides itself: files of src, and packages. serve.ts passes in whatever else it needs. */
const BOUNDARIES = {
  contract: [],
  web: [
    /^src\/contract\//,
    /^(react|react-dom|@tanstack\/react-query|oidc-client-ts|zustand|lossless-json)(\/|$)/,
  ],
  bff: [
    /^src\/contract\//,
    /^src\/store\/store\.ts$/,
    /^(hono|undici|oauth4webapi|rate-limiter-flexible)(\/|$)/,
    /^node:(async_hooks|buffer|crypto|events|stream|util)$/,
  ],
  sandbox: [/^src\/contract\//, /^hono(\/|$)/, /^node:crypto$/],
  store: [/^src\/contract\//, /^(libsql|redis)(\/|$)/, /^node:/],
  serve: [/^src\/(contract|bff|store|sandbox)\//, /^(@hono\/node-server|close-with-grace)(\/|$)/, /^node:/],
}

/** The path of a file from src on, as `src/bff/token.ts`. */
const pathFromSrc = (filename) => /(?:^|\/)(src\/.*)$/.exec(filename.replaceAll('\\', '/'))?.[1]

/** Whether a file may import what `source` names. Both are paths from src on; a package stays as it is named. */
function isAllowed(file, source) {
  const target = source.startsWith('.') ? posix.join(posix.dirname(file), source) : source
  const [, folder] = file.split('/')
  if (folder === 'serve.ts') return !target.startsWith('src/web/')
  if (!Object.hasOwn(BOUNDARIES, folder)) return false
  if (!target.startsWith(`src/${folder}/`)) return BOUNDARIES[folder].some((allowed) => allowed.test(target))
  return folder !== 'sandbox' || isInOrder(file, target)
}

/** sandbox.ts may import every folder of the sandbox; a folder imports neither sandbox.ts nor a folder after it. */
function isInOrder(file, target) {
  const [from, to] = [file, target].map((path) => SANDBOX_FOLDERS.indexOf(path.split('/')[2]))
  return file === 'src/sandbox/sandbox.ts' || (to !== -1 && to <= from)
}

const SELF_REFETCH = new Set([
  'refetchOnWindowFocus',
  'refetchOnReconnect',
  'refetchOnMount',
  'refetchInterval',
  'refetchIntervalInBackground',
  'retry',
  'staleTime',
])

export default {
  meta: { name: 'plimsoll' },
  rules: {
    boundaries: rule(
      '{{file}} may not import {{from}}: contract imports nothing; web, bff, sandbox and store import contract; bff also the port store/store.ts; no folder imports serve; a folder of the sandbox imports only those before it (choices, state, http, api, limits, token, authorize, settings, control). Let serve.ts pass it in, or move what both need into contract.',
      (report, context) => {
        const file = pathFromSrc(context.filename)
        const check = ({ source }) => {
          if (typeof source?.value !== 'string' || file === undefined) return
          if (!isAllowed(file, source.value)) report({ node: source }, { file, from: source.value })
        }
        return {
          ImportDeclaration: check,
          ImportExpression: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
          TSImportType: check,
        }
      },
    ),

    'no-wall-clock': rule('Only serve.ts reads the clock: take `now` as an argument.', (report) => ({
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) report({ node })
      },
      CallExpression(node) {
        if (node.callee.name === 'Date') report({ node })
      },
    })),

    'no-token-words': rule(
      'The browser never sees a {{word}}: leave it in src/bff and ask /bff/session instead.',
      (report, context) => ({
        Program() {
          const source = context.sourceCode
          for (const found of source.text.matchAll(/client_?secret|access_?token|refresh_?token/gi)) {
            const end = found.index + found[0].length
            const loc = { start: source.getLocFromIndex(found.index), end: source.getLocFromIndex(end) }
            report({ loc }, { word: found[0] })
          }
        },
      }),
    ),

    'no-self-refetch': rule(
      'A request costs money: `{{name}}` is decided once, in src/web/query.ts. Call refetch() where a person pressed something.',
      (report) => ({
        'ObjectExpression > Property'(node) {
          const name = node.key.name ?? node.key.value
          if (SELF_REFETCH.has(name)) report({ node: node.key }, { name })
        },
        'AssignmentExpression > MemberExpression.left'(node) {
          const name = node.property.name ?? node.property.value
          if (SELF_REFETCH.has(name)) report({ node: node.property }, { name })
        },
      }),
    ),

    'no-export-star': rule(
      'Export by name, from the file that holds the thing: no `export *`.',
      (report) => ({
        ExportAllDeclaration: (node) => report({ node }),
      }),
    ),
  },
}
