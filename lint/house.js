// The only place for the house rules that oxlint has no built-in rule for. Loaded by .oxlintrc.json through jsPlugins.

const rule = (message, visit) => ({
  meta: { type: 'problem', messages: { never: message } },
  create: (context) => visit((at, data = {}) => context.report({ ...at, messageId: 'never', data }), context),
})

/** What each folder may import. Whatever else it needs, src/serve passes in. */
const WALLS = {
  contract: [/^\.\/[^.]/],
  web: [
    /^\.\/[^.]/,
    /^\.\.\/contract\//,
    /^(react|react-dom|@tanstack\/react-query|oidc-client-ts|zustand|lossless-json)(\/|$)/,
  ],
  bff: [
    /^\.\/[^.]/,
    /^\.\.\/contract\//,
    /^\.\.\/store\/store\.ts$/,
    /^(hono|undici|oauth4webapi)(\/|$)/,
    /^node:(async_hooks|buffer|crypto|events|stream|util)$/,
  ],
  sandbox: [/^\.\/[^.]/, /^\.\.\/contract\//, /^hono(\/|$)/, /^node:crypto$/],
  store: [/^\.\/[^.]/, /^\.\.\/contract\//, /^(libsql|redis)(\/|$)/, /^node:/],
  serve: [/^\.\/[^.]/, /^\.\.\/(contract|bff|sandbox|store)\//, /^@hono\/node-server(\/|$)/, /^node:/],
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
  meta: { name: 'house' },
  rules: {
    walls: rule(
      '{{folder}} may not import {{from}}: contract imports nothing, web, bff, sandbox and store import contract, bff also the port store/store.ts, serve all but web; nothing imports serve. Let src/serve pass it in, or move what both need into contract.',
      (report, context) => {
        const folder = /\/src\/(\w+)\/[^/]*$/.exec(context.filename.replaceAll('\\', '/'))?.[1]
        const check = ({ source }) => {
          if (typeof source?.value !== 'string' || !(folder in WALLS)) return
          if (!WALLS[folder].some((allowed) => allowed.test(source.value))) {
            report({ node: source }, { folder, from: source.value })
          }
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

    'no-wall-clock': rule('Only src/serve reads the clock: take `now` as an argument.', (report) => ({
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
      'A request is money: `{{name}}` is decided once, in src/web/query.ts. Call refetch() where a person pressed something.',
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
