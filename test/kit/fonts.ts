// The fonts of the browsers under test are npm packages: those of the machine do not matter.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'

const require = createRequire(import.meta.url)

const NARROW = [
  require.resolve('@expo-google-fonts/archivo-narrow/400Regular/ArchivoNarrow_400Regular.ttf'),
  require.resolve('@expo-google-fonts/archivo-narrow/600SemiBold/ArchivoNarrow_600SemiBold.ttf'),
]
const WIDE = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]
const FIXED_WIDTH = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
const JAPANESE = require.resolve(
  '@expo-google-fonts/sawarabi-gothic/400Regular/SawarabiGothic_400Regular.ttf',
)

/** Each set of fonts: its files, and the families that replace the generic ones. */
const SETS = {
  narrow: {
    files: [...NARROW, FIXED_WIDTH, JAPANESE],
    sans: ['Archivo Narrow', 'Sawarabi Gothic'],
    mono: ['DejaVu Sans Mono', 'Sawarabi Gothic'],
  },
  wide: {
    files: [...WIDE, FIXED_WIDTH, JAPANESE],
    sans: ['DejaVu Sans', 'Sawarabi Gothic'],
    mono: ['DejaVu Sans Mono', 'Sawarabi Gothic'],
  },
  /** A bare machine: one family, which the page does not name, and none for Japanese. */
  fallback: {
    files: [require.resolve('dejavu-fonts-ttf/ttf/DejaVuSerif.ttf')],
    sans: ['DejaVu Serif'],
    mono: ['DejaVu Serif'],
  },
} satisfies Record<string, FontSet>

interface FontSet {
  files: string[]
  sans: string[]
  mono: string[]
}

export type FontSetName = keyof typeof SETS

/** Every set, for the tests of the layout. */
export const FONT_SETS = Object.keys(SETS) as FontSetName[]

/**
 * Most Linux desktops and containers have DejaVu Sans, which is wider than the fonts of other systems. So a
 * page that fits with it fits everywhere.
 */
export const USUAL_FONTS: FontSetName = 'wide'

/** Programs name them when they mean any font without serifs. */
const SANS = ['sans-serif', 'sans', 'system-ui', 'ui-sans-serif', 'serif']
const MONO = ['monospace', 'ui-monospace']

const listOf = (families: readonly string[]): string =>
  families.map((family) => `<string>${family}</string>`).join('')

const alias = (name: string, families: readonly string[]): string => `<match target="pattern">
  <test name="family"><string>${name}</string></test>
  <edit name="family" mode="prepend" binding="strong">${listOf(families)}</edit>
</match>`

/**
 * The font of a program that names no family or a missing one; without this rule it would be the first one in
 * the folder.
 */
const otherwise = (families: readonly string[]): string =>
  `<match target="pattern"><edit name="family" mode="append_last">${listOf(families)}</edit></match>`

/** Letters have the same width on each machine only if none is moved to whole pixels. */
const RENDERING = `<match target="font">
  <edit name="antialias" mode="assign"><bool>true</bool></edit>
  <edit name="autohint" mode="assign"><bool>false</bool></edit>
  <edit name="hinting" mode="assign"><bool>false</bool></edit>
  <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
  <edit name="rgba" mode="assign"><const>none</const></edit>
  <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
</match>`

/** The file for $FONTCONFIG_FILE. @param folder of the fonts, and of fontconfig's cache */
const configurationOf = ({ sans, mono }: FontSet, folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${join(folder, 'fonts')}</dir>
<cachedir>${join(folder, 'cache')}</cachedir>
${SANS.map((name) => alias(name, sans)).join('\n')}
${MONO.map((name) => alias(name, mono)).join('\n')}
${otherwise(sans)}
${RENDERING}
</fontconfig>
`

/** The environment of a browser that has this set alone. */
export const fontsEnvironment = (name: FontSetName): { FONTCONFIG_FILE: string } => ({
  FONTCONFIG_FILE: join(fontsFolder(name), 'fonts.conf'),
})

/**
 * Writes the set, unless a test process has done so. It gets its final name when it is complete.
 * @returns its folder, which has the configuration in `fonts.conf`
 */
export function fontsFolder(name: FontSetName): string {
  const set: FontSet = SETS[name]
  const parent = resolve('node_modules/.cache')
  const hash = createHash('sha256').update(configurationOf(set, parent)).update(set.files.join('\n'))
  const folder = join(parent, `plimsoll-fonts-${name}-${hash.digest('hex').slice(0, 8)}`)
  if (existsSync(folder)) return folder
  mkdirSync(dirname(folder), { recursive: true })
  const half = mkdtempSync(`${folder}-`)
  try {
    for (const part of ['fonts', 'cache']) mkdirSync(join(half, part))
    for (const file of set.files) copyFileSync(file, join(half, 'fonts', basename(file)))
    writeFileSync(join(half, 'fonts.conf'), configurationOf(set, folder))
    renameSync(half, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
  return folder
}
