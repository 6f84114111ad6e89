// Makes a screenshot smaller: at most 256 colours by palette (PNG, ISO/IEC 15948).
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = 8
/** The bytes of a chunk besides its body: length, name and checksum. */
const AROUND = 12
const RGB = 2
const MOST = 256

export interface Picture {
  width: number
  height: number
  /** 0xRRGGBB, row by row. */
  pixels: Uint32Array
}

/** @param png 8 bits a channel, without transparency or interlacing, as a browser writes it */
export function withPalette(png: Buffer): Buffer {
  const picture = decode(png)
  const counts = new Map<number, number>()
  for (const pixel of picture.pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const byUse = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour)
  const palette = byUse.slice(0, MOST)
  const indexes = new Map(byUse.map((colour, at) => [colour, at < MOST ? at : nearest(colour, palette)]))
  return encode(picture, palette, indexes)
}

const channels = (colour: number): number[] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearest(colour: number, palette: readonly number[]): number {
  const wanted = channels(colour)
  const distances = palette.map((known) =>
    channels(known).reduce((sum, channel, at) => sum + (channel - (wanted[at] ?? 0)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

export function decode(png: Buffer): Picture {
  let header: Buffer = Buffer.alloc(0)
  const data: Buffer[] = []
  for (let at = SIGNATURE; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (name === 'IHDR') header = body
    if (name === 'IDAT') data.push(body)
    at += length + AROUND
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const step = header[9] === RGB ? 3 : 4
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * step, step)
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => rows.readUIntBE(at * step, 3))
  return { width, height, pixels }
}

/** Undoes the filter of each row (section 9). */
function unfilter(filtered: Buffer, stride: number, step: number): Buffer {
  const height = filtered.length / (stride + 1)
  const rows = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y += 1) {
    const type = filtered[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x
      const left = x < step ? 0 : (rows[at - step] ?? 0)
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0)
      const corner = x < step || y === 0 ? 0 : (rows[at - stride - step] ?? 0)
      rows[at] = (filtered[at + y + 1] ?? 0) + (PREDICTED[type]?.(left, above, corner) ?? 0)
    }
  }
  return rows
}

const PREDICTED: ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => Math.floor((left + above) / 2),
  (left, above, corner) => {
    const [byLeft, byAbove, byCorner] = [left, above, corner].map((near) =>
      Math.abs(left + above - corner - near),
    ) as [number, number, number]
    if (byLeft <= byAbove && byLeft <= byCorner) return left
    return byAbove <= byCorner ? above : corner
  },
]

function encode({ width, height, pixels }: Picture, palette: number[], indexes: Map<number, number>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, by palette.
  header.set([8, 3], 8)
  const rows = Buffer.alloc(height * (width + 1))
  for (const [at, pixel] of pixels.entries()) rows[at + Math.floor(at / width) + 1] = indexes.get(pixel) ?? 0
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
