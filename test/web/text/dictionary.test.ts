import { expect, test } from 'vitest'
import { type Language, LANGUAGES } from '../../../src/web/text/languages.ts'
import { SERVER_TEXT } from '../../../src/web/text/server.ts'

type Leaf = [path: string, text: string]

/** The words of a rule's answer take its values by name, and make words of them themselves. */
const OF_RULE = /\.month\.verdict\./
const VALUES = new Proxy({}, { get: () => 7 })
const FORMATS = new Proxy({}, { get: () => String })

/** Every text with its path. A text with values gets the path of each value, to show where it uses them. */
function leaves(node: unknown, path = ''): Leaf[] {
  if (typeof node === 'string') return [[path, node]]
  if (typeof node === 'function' && OF_RULE.test(path)) return [[path, String(node(VALUES, FORMATS))]]
  if (typeof node === 'function')
    return [[path, String(node(...Array.from({ length: node.length }, () => 7)))]]
  return Object.entries(node as object).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
}
async function dictionaryOf(language: Language) {
  const row = LANGUAGES[language]
  const [{ first }, { home }, { pages }] = await Promise.all([row.first(), row.home(), row.pages()])
  return { ...first, ...home, ...pages, ...SERVER_TEXT[language] }
}
const [EN, JA] = [await dictionaryOf('en'), await dictionaryOf('ja')]
const [english, japanese] = [leaves(EN), leaves(JA)]

/** The same in every language. */
const SAME = /^(\.open\.named|\.minute\.remarks|\.month\.resetsAt)$/

test('both languages have the same texts, and none is empty or lacks a value', () => {
  expect(japanese.map(([path]) => path)).toEqual(english.map(([path]) => path))
  const bad = [...english, ...japanese].filter(([, text]) => /^\s*$|undefined|NaN|\[object/.test(text))
  expect(bad).toEqual([])
})

test('every text except names is Japanese in one dictionary and English in the other', () => {
  const isJapanese = (text: string) => /[\u3040-\u30ff\u4e00-\u9fff（）]/.test(text)
  expect(english.filter(([, text]) => isJapanese(text))).toEqual([])
  expect(japanese.filter(([path, text]) => !isJapanese(text) && !SAME.test(path))).toEqual([])
})

test('a text with values shows each of them', () => {
  const values = (node: unknown, path = ''): string[] => {
    if (typeof node === 'string' || OF_RULE.test(path)) return []
    if (typeof node !== 'function')
      return Object.entries(node as object).flatMap(([name, inner]) => values(inner, `${path}.${name}`))
    const given = Array.from({ length: node.length }, (_, at) => 101 + at)
    const shown = String(node(...given))
    return given
      .filter((value) => !shown.includes(String(value)))
      .map((value) => `${path} leaves out value ${value - 100}`)
  }
  expect(values({ en: EN, ja: JA })).toEqual([])
})

test('no Japanese text is half in English', () => {
  expect(japanese.filter(([, text]) => /[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}/.test(text))).toEqual([])
})

/** English writing: ASCII marks or spaces at Japanese letters, or full- or half-width letters and digits. */
const LETTER = '[\\u3040-\\u30ff\\u3400-\\u9fff々]'
const MARK = '[。、：？！（）「」・～…]'
const NOT_JAPANESE = new RegExp(
  [
    `${LETTER}[:;,.?!()]`,
    `[:;,.?!()]${LETTER}`,
    `${LETTER} [A-Za-z0-9]`,
    `[A-Za-z0-9] ${LETTER}`,
    ` ${MARK}`,
    `${MARK} `,
    '[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\uff65-\\uff9f]',
  ].join('|'),
)

test('Japanese texts have Japanese marks, and no space between Japanese and Latin letters or digits', () => {
  expect(japanese.filter(([, text]) => NOT_JAPANESE.test(text))).toEqual([])
})

test('Japanese sentences are polite: none ends in the plain form', () => {
  const sentences = japanese.flatMap(([path, text]) =>
    text
      .split('。')
      .slice(0, -1)
      .map((sentence) => `${path} ${sentence}`),
  )
  const isPlain = (sentence: string) =>
    /(だ|である|する|(?<!まし|でし)た|ない|なる|れる|いる)$/.test(sentence)
  expect(sentences.filter(isPlain)).toEqual([])
})

/** One thing has one word: what to write, and other words for the same. */
const ONE_WORD: [word: string, others: RegExp][] = [
  ['スタンダード', /Standard/],
  ['ビジネス', /Business/],
  ['件', /回数|残り[^。]*回/],
  ['に戻る', /へ戻る/],
  ['再読み込み', /読み込み直|リロード/],
  ['試してください', /お試し/],
  ['数えられる', /カウントされ/],
  ['ほか', /他の|その他/],
  ['ブラウザー', /ブラウザ(?!ー)/],
  ['サーバー', /サーバ(?!ー)/],
  ['サインイン', /ログイン/],
  ['ください', /下さい/],
  ['～', /〜/],
]

test.each(ONE_WORD)('the Japanese word is %s, and no text has another word for it', (_, others) => {
  expect(japanese.filter(([, text]) => others.test(text))).toEqual([])
})
