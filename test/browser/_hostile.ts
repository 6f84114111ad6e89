// Records that an attacker wrote: markup, addresses that run code, direction marks, member names, depth.

/** The name of the function that each payload would call. */
export const CANARY = 'hostileCodeRan'
const RUN = `globalThis.${CANARY}=1`

const PAYLOADS: readonly string[] = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `"><svg onload="${RUN}">`,
  `' autofocus onfocus='${RUN}' x='`,
  `<iframe srcdoc="<script>parent.${CANARY}=1</script>">`,
  `<a href="javascript:${RUN}">click</a>`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}//https://example.org`,
  `data:text/html,<script>${RUN}</script>`,
  `</textarea></style></title><script>${RUN}</script>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}}`,
  `<!--<script>${RUN}//-->`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
]

/** Each payload as a name and as a value, alone, in a list and in a table; and a fake React element. */
const markup = {
  name: PAYLOADS[2],
  plan: PAYLOADS[0],
  owner: { name: PAYLOADS[3], role: PAYLOADS[7] },
  members: PAYLOADS.map((payload) => ({ name: payload, role: payload })),
  website: `javascript:${RUN}`,
  ...Object.fromEntries(PAYLOADS.map((payload, at) => [payload, PAYLOADS[PAYLOADS.length - 1 - at]])),
  list: PAYLOADS,
  element: {
    $$typeof: 'Symbol(react.transitional.element)',
    type: 'script',
    key: null,
    ref: null,
    props: { children: RUN, dangerouslySetInnerHTML: { __html: PAYLOADS[2] } },
  },
}

/** Names that every object has, in each place where a record has names. */
const names = `{"name":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"a","valueOf":null,
  "hasOwnProperty":[1],"members":[{"__proto__":"b","constructor":"c","toString":1},{"__proto__":"d","constructor":"e","toString":2}]}`

/** Opens an override; one also closes the isolation around it first. */
export const OVERRIDES: readonly string[] = ['\u202E', '\u2069\u202E', '\u2067', '\u202B']

/** One mark at the start and at the end of each name and text, beside texts without marks. */
const direction = (mark: string): object => ({
  name: `${mark}Rope Works${mark}`,
  plan: `${mark}standard`,
  members: [
    { name: `Ada${mark}`, [`level${mark}`]: 12345, active: true },
    { name: `${mark}Ben`, [`level${mark}`]: 67890, active: false },
  ],
  tags: ['first', `${mark}second`, 'third'],
  [`colour${mark}`]: 'deep blue',
  [`size${mark}`]: 123456,
  notes: [`${mark}one ${'long '.repeat(20)}`, 'two is beside it'],
  inner: { [`height${mark}`]: 321, width: 'what is beside it' },
})

const nested = (levels: number, open: string, close: string): string =>
  `${open.repeat(levels)}1${close.repeat(levels)}`

export const HOSTILE: Readonly<Record<string, string>> = {
  'markup and scripts': JSON.stringify(markup),
  'names of every object': names,
  '200 levels of objects': `{"name":"x","deep":${nested(200, '{"level":', '}')}}`,
  '200 levels of lists': `{"name":"x","deep":${nested(200, '[', ']')}}`,
  ...Object.fromEntries(
    OVERRIDES.map((mark, at) => [`marks of direction ${at}`, JSON.stringify(direction(mark))]),
  ),
}
