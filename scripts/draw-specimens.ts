/**
 * Draws the specimen images: handwritten SVG, rendered by an installed Chromium. Run it manually after changing a
 * drawing: `node scripts/draw-specimens.ts [chromium]`. The PNG files are committed.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specimens } from '#practice/samples/drawings.ts'

const browser = process.argv[2] ?? 'chromium'
const folder = mkdtempSync(join(tmpdir(), 'specimens-'))
try {
  for (const { name, width, height, svg } of specimens) {
    const page = join(folder, 'page.html')
    writeFileSync(
      page,
      `<!doctype html><meta charset="utf-8"><style>html,body{margin:0;background:transparent}svg{display:block}</style>${svg}`
    )
    execFileSync(
      browser,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        '--default-background-color=00000000',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--window-size=${width},${height}`,
        `--screenshot=${join(import.meta.dirname, '..', 'practice', 'samples', name)}`,
        `file://${page}`
      ],
      { stdio: 'ignore' }
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
