// Organization records of 23 shapes: the document shows none, so any JSON is possible (4.4).

const word = (letters: string, count: number): string =>
  letters.repeat(Math.ceil(count / letters.length)).slice(0, count)
const nested = (levels: number, inner: string): string =>
  `${'{"level":'.repeat(levels)}${inner}${'}'.repeat(levels)}`
const lists = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
const objectOf = (count: number, member: (at: number) => [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => member(at)))
const listOf = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at))

const ARABIC = 'شركة الحبال والمراسي في الميناء الشرقي، تأسست عام 1921 وتعمل حتى اليوم. '
const HEBREW = 'מפעל החבלים של הנמל. '
const FAMILY = '👨‍👩‍👧‍👦🏴‍☠️'
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const PERSON = { id: 'ada', name: 'Ada Lindqvist', role: 'administrator' }

const VALUES: Record<string, unknown> = {
  'a long word': { name: LONG, note: word('abcdefghij', 900), [word('k', 40)]: word('v', 4000) },
  'long names': {
    name: 'x',
    [word('averylongname', 300)]: 1,
    [word('a_b_', 300)]: { [word('q', 200)]: 'y' },
  },
  'a name without letters': { name: '…', '': 'empty name', ' ': 'blank', '\n': 'line', _: 'dash' },
  'right to left': {
    name: 'شركة الحبال',
    description: ARABIC.repeat(6),
    tags: ['حبل', 'מפעל'],
    motto: HEBREW.repeat(9),
  },
  emoji: { name: `${FAMILY} Works`, row: FAMILY.repeat(200), [FAMILY]: FAMILY },
  'combining marks': {
    name: 'Z',
    note: `Z${'\u0310\u0351'.repeat(300)}algo`,
    thai: 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(8),
  },
  'a wide list of words': { name: 'x', tags: listOf(400, (at) => `tag-${at}`) },
  'a wide table': {
    name: 'x',
    rows: listOf(40, (at) => objectOf(6, (column) => [`column_${column}`, word('value', 55) + at])),
  },
  'a table of 12 columns': {
    name: 'x',
    rows: listOf(5, () => objectOf(12, (column) => [`column_${column}`, column])),
  },
  'a table with long words': {
    name: 'x',
    rows: listOf(3, (at) => ({ id: at, code: word('ABCDEFG', 58), text: word('w', 59) })),
  },
  'many members': objectOf(600, (at) => [`member_${at}`, at]),
  'many people': {
    name: 'x',
    members: listOf(250, (at) => ({ ...PERSON, id: `p${at}`, email: `p${at}@example.org` })),
  },
  'known names of other types': {
    name: ['x'],
    plan: { tier: 3 },
    owner: false,
    members: 12,
    created_at: 1.5e9,
    updated_at: [],
  },
  'lists in lists': {
    name: 'x',
    grid: listOf(8, (row) => listOf(8, (column) => row * column)),
    deep: [[[[['x']]]]],
  },
  'objects in objects': { name: 'x', a: { b: { c: { d: { e: { f: { g: { h: LONG } } } } } } } },
  addresses: {
    name: 'x',
    website: `https://example.org/${word('path/', 500)}`,
    mail: `${word('m', 64)}@${word('host.', 180)}org`,
  },
  lines: { name: 'x', text: 'one\ntwo\n\n\tthree\r\nfour'.repeat(9), spaces: `a${' '.repeat(400)}b` },
  'a list of organizations': listOf(3, (at) => ({ id: at, name: `Organization ${at}`, people: [PERSON] })),
  'wrapped with more beside it': {
    data: [{ name: 'x', members: [PERSON, PERSON] }],
    meta: { total: 1, note: LONG },
  },
}

/** The text of each record, by its name. */
export const SHAPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [name, JSON.stringify(value)])),
  '60 levels of objects': `{"name":"x","deep":${nested(60, JSON.stringify(LONG))}}`,
  '200 levels of lists': `{"name":"x","deep":${lists(200)}}`,
  'huge numbers': `{"name":"x","big":${word('1234567890', 400)},"small":1e-400,"zero":-0,"list":[1.10,9007199254740993123,${word('7', 90)}]}`,
  'no JSON': `<html>${word('x', 3000)}</html>`,
}
