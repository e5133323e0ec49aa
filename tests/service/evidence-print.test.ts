/** The PDF for reading, printed by the preview's printer from a page that tries to run, load and hide things. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { escaped, packPage } from '#core/evidence/page.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { printPdf } from '../../electron/hosts/node/chromium/printer.ts'
import { readPdf } from '../app/fixtures/pdf.ts'
import type { PackView } from '#core/evidence/pack/view.ts'

const zeros = '0'.repeat(64)

function packOf(texts: readonly string[]): PackView {
  const at = 1_760_000_000_000
  const events = texts.map((text, index) => ({
    seq: index + 1,
    at,
    kind: 'note.made',
    record: null,
    previous: zeros,
    hash: zeros,
    steps: 3,
    entries: [
      { label: 'operator', value: text },
      { label: 'text', value: text }
    ],
    response: []
  }))
  return {
    about: { kind: 'applicant', id: texts[0] ?? '' },
    profile: 'full',
    records: 0,
    madeAt: at,
    madeBy: 'tester',
    console: '1',
    key: zeros,
    digest: zeros,
    tree: { root: zeros, size: texts.length },
    events,
    names: ['tester'],
    erased: []
  }
}

test('runs no script and makes no request, even if its template would let one through', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hostile = [
    `<script>document.title = 'ran'; fetch('${origin}/fetch')</script>`,
    `<img src="${origin}/img" onerror="fetch('${origin}/e')">`,
    `<svg onload="fetch('${origin}/svg')"><image href="${origin}/i"/></svg>`,
    `<iframe src="file:///etc/passwd"></iframe>`,
    `<link rel="stylesheet" href="${origin}/css">`,
    `</td></table></section><meta http-equiv="refresh" content="0;url=${origin}/meta">`,
    `<style>@import "${origin}/style"; body { background: url(${origin}/bg) }</style>`,
    '\u202egnp.exe\u202c \u200bhidden\u0000'
  ]
  const page = packPage(
    packOf([...hostile, ...Array.from({ length: 60 }, (_, n) => `Note ${n}: ${'a long text '.repeat(20)}`)])
  )
  expect(page).not.toMatch(/<script|<img|<svg|<iframe|<link|\u202e|\u200b/)
  expect(page).not.toContain('\0')
  const browser = findBrowser()
  if (!browser) throw new Error('no browser on this machine: nothing was proven')
  const pdf = Buffer.from(await printPdf(browser, page))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(5)
  // The printer itself lets nothing run or load: the same texts, this time not escaped.
  const raw = Buffer.from(
    await printPdf(browser, `<!doctype html><title>raw</title>${hostile.slice(0, 7).join('\n')}<p>end`)
  )
  expect(raw.subarray(0, 5).toString()).toBe('%PDF-')
  expect(raw.toString('latin1')).not.toContain('(ran)')
  expect(asked).toBe(0)
  server.close()
})

test('prints the page and never an empty sheet, however many start at the same time', async () => {
  const browser = findBrowser()
  if (!browser) throw new Error('no browser on this machine: nothing was proven')
  const printed = await Promise.all(
    Array.from({ length: 8 }, async (_, nth) => {
      const words = `Sheet number ${nth}, with its end`
      return {
        words,
        text: readPdf(Buffer.from(await printPdf(browser, `<!doctype html><title>sheet</title><p>${words}</p>`))).text
      }
    })
  )
  // A page that a browser loads by itself at startup once replaced the page and was printed instead.
  for (const { words, text } of printed) expect(text).toContain(words.replaceAll(' ', ''))
})

test('escapes every character with a meaning in markup', () => {
  expect(escaped(`<a href="x" title='y'>&</a>`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;')
})
