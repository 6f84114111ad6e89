// The lint rules that oxlint does not have. .oxlintrc.json loads them through jsPlugins.
import { posix } from 'node:path'

const rule = (message, create) => ({
  meta: { type: 'problem', messages: { never: message } },
  create: (context) =>
    create((at, data = {}) => context.report({ ...at, messageId: 'never', data }), context),
})

/**
 * The folders of each part in their order. A folder imports itself and those before it, with everything
 * inside them. Folders in brackets do not import each other. A file at the top of a part has its own place:
 * store.ts, the storage interface, comes first; bff.ts and sandbox.ts, which join the folders, come last.
 * src/contract is one folder.
 */
export const ORDER = {
  web: [
    ...'text lib components preferences quota session sign-in spend organization minute readings'.split(' '),
    ...'alerts chart month layout organizations ledger months evidence sessions pairing watch app'.split(' '),
  ],
  bff: [
    ...'http limiter core session service evidence limits readings token quota read'.split(' '),
    ...'sign-in pairing events watch pages bff.ts'.split(' '),
  ],
  store: ['store.ts', 'engine', ['sqlite', 'postgres']],
  serve: ['settings', 'http', 'observe', 'doctor', 'sandbox', 'start'],
  sandbox: 'choices state http api limits token authorize settings control sandbox.ts'.split(' '),
}

/** Files of src and packages that each part may import besides itself. serve.ts passes in everything else. */
const BOUNDARIES = {
  contract: [],
  web: [
    /^src\/contract\//,
    /^(react|react-dom|@tanstack\/react-query|oidc-client-ts|zustand)(\/|$)/,
    /^(lossless-json|lean-qr|eventsource-parser)(\/|$)/,
  ],
  bff: [
    /^src\/contract\//,
    /^src\/store\/store\.ts$/,
    /^(hono|undici|valibot)(\/|$)/,
    /^node:(async_hooks|buffer|crypto|events|stream|util)$/,
  ],
  sandbox: [/^src\/contract\//, /^hono(\/|$)/, /^valibot$/, /^@valibot\//, /^node:crypto$/],
  store: [/^src\/contract\//, /^(libsql|pg)(\/|$)/, /^node:/],
  serve: [
    /^src\/(contract|bff|store|sandbox)\//,
    /^(@hono\/node-server|close-with-grace|hono|libsql|pino|pino-pretty|prom-client|valibot)(\/|$)/,
    /^node:/,
  ],
}

/** The path of a file from src on, as `src/bff/token/token.ts`. */
const pathFromSrc = (filename) => /(?:^|\/)(src\/.*)$/.exec(filename.replaceAll('\\', '/'))?.[1]

/** True if a file may import `source`. Both are paths from src on; a package keeps its name. */
function isAllowed(file, source) {
  const target = source.startsWith('.') ? posix.join(posix.dirname(file), source) : source
  const [, part] = file.split('/')
  if (part === 'serve.ts') return !target.startsWith('src/web/')
  if (!Object.hasOwn(BOUNDARIES, part)) return false
  if (!target.startsWith(`src/${part}/`)) return BOUNDARIES[part].some((allowed) => allowed.test(target))
  return part === 'contract' || isInOrder(ORDER[part], file, target)
}

/** Compares the places of two files of one part, which are those of their folders. */
function isInOrder(order, file, target) {
  const [from, to] = [file, target].map((path) => path.split('/')[2])
  const [place, before] = [from, to].map((name) => order.findIndex((entry) => [entry].flat().includes(name)))
  return place !== -1 && before !== -1 && (from === to || before < place)
}

/** Attributes, props and members whose text the page shows or a screen reader reads. */
const TEXT_NAME =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|alt|done|heading|label|lead|placeholder|summary|title|words)$/

/** True if the value of `node` is, or may be, the value of its parent. */
const passesOn = ({ type, operator, test }, node) =>
  /^(JSXExpressionContainer|LogicalExpression|ParenthesizedExpression|TemplateLiteral)$/.test(type) ||
  /^TS(As|NonNull|Satisfies)Expression$/.test(type) ||
  (type === 'BinaryExpression' && operator === '+') ||
  (type === 'ConditionalExpression' && test !== node)

function isShown(node) {
  const { parent } = node
  if (passesOn(parent, node)) return isShown(parent)
  if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return true
  if (parent.type === 'JSXAttribute') return TEXT_NAME.test(parent.name.name)
  if (parent.type === 'Property')
    return parent.value === node && TEXT_NAME.test(parent.key.name ?? parent.key.value)
  if (parent.type === 'CallExpression') return parent.callee.name === 'useTitle'
  return parent.type === 'AssignmentExpression' && isTitle(parent.left)
}

const isTitle = ({ object, property }) => object?.name === 'document' && property?.name === 'title'

/** True if a string is for developers or the browser, or is only compared. */
const isInternal = ({ parent }) =>
  /^NewExpression$|^TSLiteralType$|Case$/.test(parent.type) ||
  (parent.type === 'BinaryExpression' && parent.operator !== '+') ||
  /^(querySelector(All)?|closest|matches)$/.test(parent.callee?.property?.name) ||
  (parent.type === 'JSXAttribute' && /^(autoComplete|className|rel)$/.test(parent.name.name))

const withoutName = (text) => text.replaceAll(/Plimsoll|&#?\w+;/g, '')
const hasLetter = (text) => /\p{L}/u.test(withoutName(text))
/** Two words, or a letter of a language without spaces. */
const isSentence = (text) =>
  /\p{L}{2,} \p{L}{2,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(withoutName(text))
/** A sentence, or a word beside a value. */
const isPhrase = (text) => isSentence(text) || /^\p{L}{2,} | \p{L}{2,}( |$)/u.test(withoutName(text))

export default {
  meta: { name: 'plimsoll' },
  rules: {
    boundaries: rule(
      '{{file}} may not import {{from}}. contract imports nothing; web, bff, sandbox and store import contract; bff also imports the storage interface store/store.ts; no part imports serve. Inside a part a folder imports itself and those before it{{order}}. Declare the shared thing in the first of the two folders, and let bff.ts or serve.ts pass it in, or move it into contract.',
      (report, context) => {
        const file = pathFromSrc(context.filename)
        const order = ORDER[file?.split('/')[1]]
        const data = { file, order: order ? ` (${order.flat().join(', ')})` : '' }
        const check = ({ source }) => {
          if (typeof source?.value !== 'string' || file === undefined) return
          if (!isAllowed(file, source.value)) report({ node: source }, { ...data, from: source.value })
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

    'texts-in-dictionaries': rule(
      'A person reads "{{text}}": write it in each language of src/web/text, and show it by text() or words().',
      (report) => {
        const check = (node, text, isText) => {
          if (isShown(node) ? hasLetter(text) : isText(text) && !isInternal(node))
            report({ node }, { text: text.trim() })
        }
        return {
          JSXText: (node) => check(node, node.value, isSentence),
          Literal(node) {
            if (typeof node.value === 'string') check(node, node.value, isSentence)
          },
          TemplateLiteral: (node) =>
            check(node, node.quasis.map(({ value }) => value.raw).join('…'), isPhrase),
        }
      },
    ),
  },
}
