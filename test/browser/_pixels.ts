// Measures the contrast that is drawn, from a screenshot and not from the style sheet.
import type { ElementHandle, Page } from 'playwright-core'

/** In CSS pixels, for a focus outline and its surroundings. */
const AROUND = 8

interface Picture {
  width: number
  height: number
  /** 0xRRGGBB, row by row. */
  pixels: Uint32Array
}

/** A CSS property and a value that remove a mark and leave everything around it. */
export type Without = readonly [property: string, value: string]
export const HIDDEN: Without = ['visibility', 'hidden']
export const NO_TEXT: Without = ['color', 'transparent']
export const NO_OUTLINE: Without = ['outline-style', 'none']
export const NO_PATTERN: Without = ['background-image', 'none']

interface Drawn {
  /** At least half of its pixels have this contrast with the background. */
  contrast: number
  /** The number of CSS pixels that it covers. */
  area: number
}

/** Compares the page with a mark and without it: the pixels that differ are the mark's. */
export async function drawnMark(page: Page, mark: ElementHandle, without: Without): Promise<Drawn> {
  await showWhole(mark)
  const shown = await shoot(page, mark)
  await setStyle(mark, without)
  const bare = await shoot(page, mark)
  await setStyle(mark, [without[0], ''])
  const contrasts: number[] = []
  for (const [at, colour] of shown.pixels.entries())
    if (colour !== bare.pixels[at]) contrasts.push(contrast(colour, bare.pixels[at] ?? 0))
  const scale = await page.evaluate(() => devicePixelRatio)
  const middle = contrasts.toSorted((a, b) => a - b)[Math.floor(contrasts.length / 2)]
  return { contrast: middle ?? 0, area: contrasts.length / scale ** 2 }
}

/** The least contrast, with the background above it. */
export async function edgeContrast(page: Page, element: ElementHandle): Promise<number> {
  await showWhole(element)
  const { width, height, pixels } = await shoot(page, element)
  const scale = await page.evaluate(() => devicePixelRatio)
  const at = (x: number, y: number): number => pixels[Math.round(y) * width + Math.round(x)] ?? 0
  const acrossTo = (share: number): number => AROUND * scale + share * (width - 2 * AROUND * scale)
  const contrasts = [0.25, 0.5, 0.75].map((share) => {
    const outside = at(acrossTo(share), (AROUND - 4) * scale)
    const edge = Array.from({ length: 4 * scale }, (_, down) =>
      at(acrossTo(share), (AROUND - 1.5) * scale + down),
    )
    return Math.max(...edge.map((colour) => contrast(colour, outside)))
  })
  if (height < 2 * AROUND * scale) throw new Error('The element is not shown whole')
  return Math.min(...contrasts)
}

const showWhole = (element: ElementHandle): Promise<void> =>
  element.evaluate((node) => (node as Element).scrollIntoView({ block: 'center' }))

async function shoot(page: Page, element: ElementHandle): Promise<Picture> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not shown')
  const [x, y] = [Math.max(0, Math.floor(box.x) - AROUND), Math.max(0, Math.floor(box.y) - AROUND)]
  const [most, tallest] = await page.evaluate(() => [innerWidth, innerHeight] as const)
  const width = Math.min(most, Math.ceil(box.x + box.width) + AROUND) - x
  const height = Math.min(tallest, Math.ceil(box.y + box.height) + AROUND) - y
  const png = await page.screenshot({ clip: { x, y, width, height }, caret: 'initial' })
  const drawn = await page.evaluate(decode, png.toString('base64'))
  const bytes = Buffer.from(drawn.rgba, 'base64')
  const pixels = Uint32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUIntBE(at * 4, 3))
  return { width: drawn.width, height: drawn.height, pixels }
}

/** Runs in the page, because the browser can read its own screenshot. Both texts are base64. */
async function decode(png: string): Promise<{ width: number; height: number; rgba: string }> {
  const file = new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))])
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  const canvas = new OffscreenCanvas(width, height).getContext('2d')
  canvas?.drawImage(bitmap, 0, 0)
  const { data } = canvas?.getImageData(0, 0, width, height) ?? { data: new Uint8ClampedArray() }
  let bytes = ''
  for (const byte of data) bytes += String.fromCharCode(byte)
  return { width, height, rgba: btoa(bytes) }
}

const setStyle = (element: ElementHandle, [property, value]: Without): Promise<void> =>
  element.evaluate((node, [name, to]) => (node as HTMLElement).style.setProperty(name, to, 'important'), [
    property,
    value,
  ] as const)

/** Colours as 0xRRGGBB (WCAG 2.2). */
export function contrast(one: number, other: number): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: number): number {
  const [red = 0, green = 0, blue = 0] = [colour >> 16, (colour >> 8) & 255, colour & 255]
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
