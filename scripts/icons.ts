/**
 * Draws the application's icons from build/icon.svg: PNGs for Linux, one .ico for Windows, one .icns for macOS. Run it
 * manually after changing the drawing (`npm run icons`); the results are under version control.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '../electron/hosts/node/chromium/browser.ts'

const build = join(import.meta.dirname, '..', 'build')
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

/** Renders the drawing at each size with Chromium. */
async function rasterise(svg: string): Promise<Map<number, Buffer>> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('No Chromium, Chrome or Edge was found. Install one, or set VERIDESK_BROWSER.')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const page = await browser.newPage()
    const images = new Map<number, Buffer>()
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: size })
      const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
      await page.setContent(
        `<style>html,body{margin:0;background:transparent}img{display:block;width:${size}px;height:${size}px}</style><img src="${source}">`
      )
      await page.locator('img').evaluate((image: HTMLImageElement) => image.decode())
      images.set(size, await page.screenshot({ omitBackground: true }))
    }
    return images
  } finally {
    await browser.close()
  }
}

const imageOf = (images: ReadonlyMap<number, Buffer>, size: number): Buffer => {
  const image = images.get(size)
  if (!image) throw new Error(`no image of ${size} pixels was drawn`)
  return image
}

/** A Windows icon: a directory of 16 bytes per image, then the images as PNG (supported since Windows Vista). */
function icoOf(images: ReadonlyMap<number, Buffer>): Buffer {
  const chosen = [16, 24, 32, 48, 64, 128, 256]
  const head = Buffer.alloc(6 + 16 * chosen.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(chosen.length, 4)
  let offset = head.length
  for (const [index, size] of chosen.entries()) {
    const image = imageOf(images, size)
    const entry = 6 + 16 * index
    // 0 means 256.
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4)
    head.writeUInt16LE(32, entry + 6)
    head.writeUInt32LE(image.length, entry + 8)
    head.writeUInt32LE(offset, entry + 12)
    offset += image.length
  }
  return Buffer.concat([head, ...chosen.map((size) => imageOf(images, size))])
}

/**
 * A macOS icon: a four-letter type, a length and a PNG for each size; the doubled sizes are for high-density screens.
 */
function icnsOf(images: ReadonlyMap<number, Buffer>): Buffer {
  const types: readonly [string, number][] = [
    ['ic11', 32],
    ['ic12', 64],
    ['ic07', 128],
    ['ic13', 256],
    ['ic08', 256],
    ['ic14', 512],
    ['ic09', 512],
    ['ic10', 1024]
  ]
  const parts = types.map(([type, size]) => {
    const image = imageOf(images, size)
    const head = Buffer.alloc(8)
    head.write(type, 0, 'ascii')
    head.writeUInt32BE(image.length + 8, 4)
    return Buffer.concat([head, image])
  })
  const head = Buffer.alloc(8)
  head.write('icns', 0, 'ascii')
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  return Buffer.concat([head, ...parts])
}

const images = await rasterise(readFileSync(join(build, 'icon.svg'), 'utf8'))
mkdirSync(join(build, 'icons'), { recursive: true })
for (const [size, image] of images) writeFileSync(join(build, 'icons', `${size}x${size}.png`), image)
writeFileSync(join(build, 'icon.ico'), icoOf(images))
writeFileSync(join(build, 'icon.icns'), icnsOf(images))
console.log(`Drew build/icons (${sizes.join(', ')}), build/icon.ico and build/icon.icns.`)
