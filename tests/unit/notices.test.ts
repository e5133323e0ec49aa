import { describe, expect, it } from 'vitest'
import { importsOf, notices, packageOf } from '../../scripts/notices.ts'

describe('licence notices', () => {
  it('name packages by their imports, and nothing else', () => {
    expect(packageOf('@scope/name/deep/file.js')).toBe('@scope/name')
    expect(packageOf('vue')).toBe('vue')
    for (const other of ['./x.ts', '#contract/x.ts', 'node:fs', 'fs', 'https://x.example/a.js'])
      expect(packageOf(other)).toBeUndefined()
  })

  it('see each form of import, but no types', () => {
    const source = [
      "import { a,\n  b } from 'one'",
      "import type { T } from 'types-only'",
      "import 'two'",
      "const c = await import('three')",
      "const d = createRequire(import.meta.url)('four')",
      "const e = require('five')",
      "export * from 'six'",
      "@import 'seven';",
      "src: url('@eight/font/file.woff2')"
    ].join('\n')
    expect(importsOf(source).sort()).toEqual(['@eight/font', 'five', 'four', 'one', 'seven', 'six', 'three', 'two'])
  })

  it('hold a licence for every package that is shipped', () => {
    const all = notices()
    const names = all.map(({ name }) => name)
    for (const name of [
      'vue',
      'axios',
      'zod',
      'better-sqlite3-multiple-ciphers',
      '@github/keytar',
      '@fontsource-variable/inter'
    ])
      expect(names).toContain(name)
    const pdf = all.find(({ name }) => name === 'pdfjs-dist')?.text ?? ''
    for (const part of [/Apache License/, /PDFium Authors/, /Liberation/i, /Louvain/]) expect(pdf).toMatch(part)
    for (const { name, licence, text } of all)
      expect(`${name}: ${licence}${text}`).toMatch(/MIT|Apache|ISC|BSD|OFL|0BSD/)
  })
})
