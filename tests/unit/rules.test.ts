/** The rules for imports, modules and markup can fail: each is broken on purpose, in a separate tree. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = resolve(import.meta.dirname, '..', '..')

/** A miniature console; every file that breaks a rule says which. */
const files: Record<string, string> = {
  'contract/words.ts': 'export const word = 1',
  'contract/impure.ts': "import '../electron/core/quiet.ts'\nimport 'node:fs'\nimport 'axios'",
  'contract/failures/failures.ts': "import type { table } from './table.ts'\nexport type Code = keyof typeof table",
  'contract/failures/table.ts': 'export const table = { a: 1 }',
  'contract/team/sentences.ts': 'export const table = { a: 1 }',
  'contract/loud.ts': "import './team/sentences.ts'",
  'electron/core/speaks.ts': "import '../../contract/failures/table.ts'",
  'electron/exchange/speaks.ts': "import '../../contract/team/sentences.ts'",
  'electron/core/exports/texts.ts': "import '../../../contract/failures/table.ts'",
  'electron/core/quiet.ts':
    "import '../../contract/words.ts'\nimport '../../kit/plain.ts'\nimport 'node:path'\nimport 'zod'",
  'electron/core/calls.ts': "import 'axios'",
  'electron/core/callsToo.ts': "import 'axios'",
  'electron/core/keys.ts': "import 'keytar'",
  'electron/core/keysToo.ts': "import 'keytar'",
  'electron/core/window.ts': "import 'electron'",
  'electron/core/upwards.ts': "import '../hosts/main/main.ts'",
  'electron/core/practises.ts': "import '../../practice/service.ts'",
  'electron/core/shops.ts': "import 'left-pad'",
  'electron/core/asks.ts': "import type { Row } from '../store/types.ts'\nexport type Asked = Row",
  'electron/store/types.ts': 'export type Row = 1',
  'electron/store/store.ts':
    "import 'better-sqlite3-multiple-ciphers'\nimport '../wire/lines.ts'\nimport '../team/roster.ts'",
  'electron/store/peeks.ts': "import '../exchange/quiet.ts'",
  'electron/exchange/quiet.ts': "import '../team/roster.ts'",
  'electron/wire/lines.ts': "import 'zod'",
  'electron/wire/knows.ts': "import '../store/types.ts'",
  'electron/wire/names.ts': "import '../team/roster.ts'",
  'electron/team/roster.ts': "import '../wire/lines.ts'",
  'electron/team/transport/line.ts': "import 'pg'",
  'electron/team/other.ts': "import 'pg'",
  'electron/team/upwards.ts': "import '../core/quiet.ts'",
  'electron/hosts/preview/tested.ts': "import '../../../tests/helper.ts'",
  'electron/core/settings.ts': "import 'better-sqlite3-multiple-ciphers'",
  'electron/core/ring.ts': "import type { Link } from './link.ts'\nexport type Ring = Link[]",
  'electron/core/link.ts': "import type { Ring } from './ring.ts'\nexport type Link = Ring[]",
  'electron/core/above/reader.ts': "import type { Below } from '../below/types.ts'\nexport type Reader = Below",
  'electron/core/above/types.ts': 'export type Above = 1',
  'electron/core/below/types.ts': 'export type Below = 1',
  'electron/core/below/writer.ts': "import type { Above } from '../above/types.ts'\nexport type Writer = Above",
  'electron/core/lost.ts': "import './nowhere.ts'",
  'electron/hosts/main/main.ts': "import 'electron'\nimport '../../core/quiet.ts'",
  'electron/hosts/preview/main.ts': "import '../main/main.ts'",
  'electron/hosts/cli/main.ts': "import 'electron'",
  'kit/plain.ts': "import 'node:crypto'",
  'kit/learned.ts': "import '../contract/words.ts'",
  'contract/schemas.ts': "import 'zod'",
  'electron/hosts/preload/preload.ts': "import '../../../contract/schemas.ts'",
  'practice/service.ts': "import '../contract/words.ts'",
  'practice/borrows.ts': "import '../electron/core/quiet.ts'",
  'renderer/view.ts': "import '../contract/words.ts'",
  'contract/app/channels.ts': 'export const most = 2000\nexport type Printed = 1',
  'renderer/prints.ts': "import { most } from '../contract/app/channels.ts'\nexport const rows = most",
  'renderer/named.ts': "import type { Printed } from '../contract/app/channels.ts'\nexport type Page = Printed",
  'renderer/peeks.ts': "import type { a } from '../electron/core/typed.ts'",
  'electron/core/typed.ts': 'export type a = 1',
  'renderer/reads.ts': "import 'node:fs'",
  'electron/core/tested.ts': "import '../../tests/helper.ts'",
  'tests/helper.ts': "import '../electron/core/quiet.ts'"
}

interface Violation {
  readonly rule: { readonly name: string }
  readonly from: string
  readonly to: string
}

let folder: string
let found: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-rules-'))
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const named = ['axios', 'keytar', 'better-sqlite3-multiple-ciphers', 'pg', 'zod', 'electron', 'left-pad']
  for (const name of named) {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    put(`node_modules/${name}/index.js`, '')
  }
  const dependencies = Object.fromEntries(named.map((name) => [name, '1.0.0']))
  put('package.json', JSON.stringify({ name: 'fixture', type: 'module', dependencies }))
  put('tsconfig.json', JSON.stringify({ compilerOptions: { allowImportingTsExtensions: true, noEmit: true } }))
  for (const [path, text] of Object.entries(files)) put(path, text)

  const cruiser = join(repository, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs')
  const config = join(repository, '.dependency-cruiser.cjs')
  let report: string
  try {
    const folders = ['contract', 'electron', 'kit', 'renderer', 'practice', 'tests']
    report = execFileSync(process.execPath, [cruiser, ...folders, '--config', config, '--output-type', 'json'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore']
    })
  } catch (error) {
    report = (error as { stdout: string }).stdout
  }
  const { summary } = JSON.parse(report) as { summary: { violations: Violation[] } }
  found = summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)
}, 30_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('rules of import', () => {
  it.each([
    ['contract-is-pure', 'contract/impure.ts'],
    ['imports-of-contract', 'contract/impure.ts'],
    ['imports-of-electron-core', 'electron/core/upwards.ts'],
    ['imports-of-electron-core', 'electron/core/practises.ts'],
    ['core-carries-failures-as-data', 'electron/core/speaks.ts'],
    ['failures-know-their-sentences-as-types', 'contract/loud.ts'],
    ['core-uses-listed-packages', 'electron/core/shops.ts'],
    ['electron-in-its-host-only', 'electron/core/window.ts'],
    ['electron-in-its-host-only', 'electron/hosts/cli/main.ts'],
    ['hosts-stand-alone', 'electron/hosts/preview/main.ts'],
    ['imports-of-renderer', 'renderer/peeks.ts'],
    ['renderer-has-no-node', 'renderer/reads.ts'],
    ['renderer-knows-channels-as-types', 'renderer/prints.ts'],
    ['imports-of-practice', 'practice/borrows.ts'],
    ['imports-of-electron-core', 'electron/core/tested.ts'],
    ['preload-without-schemas', 'electron/hosts/preload/preload.ts'],
    ['postgresql-in-the-transport', 'electron/team/other.ts'],
    ['sqlite-in-the-history', 'electron/core/settings.ts'],
    ['imports-of-electron-core', 'electron/core/asks.ts'],
    ['imports-of-electron-store', 'electron/store/peeks.ts'],
    ['imports-of-electron-wire', 'electron/wire/knows.ts'],
    ['imports-of-electron-wire', 'electron/wire/names.ts'],
    ['imports-of-electron-team', 'electron/team/upwards.ts'],
    ['imports-of-kit', 'kit/learned.ts'],
    ['imports-of-electron-hosts', 'electron/hosts/preview/tested.ts'],
    ['core-carries-failures-as-data', 'electron/exchange/speaks.ts'],
    ['resolvable', 'electron/core/lost.ts']
  ])('%s is broken by %s', (rule, file) => {
    expect(found).toContain(`${rule}: ${file}`)
  })

  it('counts types when it looks for cycles', () => {
    expect(found.filter((line) => line.startsWith('no-cycles:'))).toEqual([
      expect.stringMatching(/core\/(link|ring)\.ts$/)
    ])
  })

  it('finds two folders of core that import each other’s types only', () => {
    expect(found.filter((line) => /^no-cycles-of-folders: electron\/core\/(above|below)$/.test(line)).sort()).toEqual([
      'no-cycles-of-folders: electron/core/above',
      'no-cycles-of-folders: electron/core/below'
    ])
  })

  it.each(['keytar', 'axios'])('%s in a second file is refused', (name) => {
    expect(found.some((line) => line.startsWith(`${name}-in-one-file:`))).toBe(true)
  })

  it('leaves lawful imports alone', () => {
    const lawful = [
      'contract/words.ts',
      'contract/failures/failures.ts',
      'electron/core/exports/texts.ts',
      'electron/core/quiet.ts',
      'electron/store/store.ts',
      'electron/exchange/quiet.ts',
      'electron/team/roster.ts',
      'electron/team/transport/line.ts',
      'electron/hosts/main/main.ts',
      'kit/plain.ts',
      'practice/service.ts',
      'renderer/view.ts',
      'renderer/named.ts',
      'tests/helper.ts'
    ]
    expect(found.filter((line) => lawful.some((file) => line.endsWith(`: ${file}`)))).toEqual([])
  })
})

describe('rules of markup', () => {
  // The first use loads every plugin.
  beforeAll(() => lint('renderer/fixture.js', ''), 30_000)

  const lint = async (file: string, text: string) => {
    const eslint = new ESLint({ cwd: repository })
    const results = await eslint.lintText(text, { filePath: join(repository, file) })
    return results.flatMap(({ messages }) => messages.map(({ ruleId, severity }) => `${ruleId}:${severity}`))
  }

  it('refuses v-html', async () => {
    const view =
      '<script setup lang="ts">\nconst text = \'\'\n</script>\n\n<template>\n  <p v-html="text" />\n</template>\n'
    expect(await lint('renderer/Fixture.vue', view)).toContain('vue/no-v-html:2')
  })

  it('refuses a space that the compiler removes', async () => {
    const view = (text: string): string =>
      `<script setup lang="ts"></script>\n\n<template>\n  <p>${text}</p>\n</template>\n`
    for (const text of ['<b>{{ 1 }} </b>2', '1<b> {{ 2 }}</b>'])
      expect(await lint('renderer/Fixture.vue', view(text))).toContain('vue/no-restricted-syntax:2')
    expect(await lint('renderer/Fixture.vue', view('<b>{{ 1 }}</b> <i>2</i>'))).not.toContain(
      'vue/no-restricted-syntax:2'
    )
  })

  it('refuses the browser’s own fields for choices and dates', async () => {
    const view =
      '<script setup lang="ts"></script>\n\n<template>\n  <div><select /><input type="date" /><input type="datetime-local" /></div>\n</template>\n'
    const rules = await lint('renderer/Fixture.vue', view)
    expect(rules).toContain('vue/no-restricted-html-elements:2')
    expect(rules.filter((rule) => rule === 'vue/no-restricted-static-attribute:2')).toHaveLength(2)
  })

  it('refuses innerHTML, insertAdjacentHTML and document.write', async () => {
    const script =
      "document.body.innerHTML = 'x'\ndocument.body.insertAdjacentHTML('beforeend', 'x')\ndocument.write('x')\n"
    expect(
      (await lint('renderer/fixture.js', script)).filter((rule) => rule === 'no-restricted-syntax:2')
    ).toHaveLength(3)
  })
})

/** Modules of so many lines are looked at. */
const small = 40

/** Small modules with one reader that stay, and why. Merge one before you add one. */
const alone: Readonly<Record<string, string>> = {
  'electron/hosts/main/ending.ts': 'a test runs it alone in Electron',
  'electron/hosts/main/ipc.ts': 'the one place where a window’s requests arrive',
  'renderer/features/documents/pdf/fault-words.ts': 'the words of what a drawn document may fail with'
}

/** Forms that a subject has in every case: words and columns of a feature, and the handlers of a group of channels. */
const form = /^renderer\/features\/[^/]+\/(?:words|[a-z-]+-columns)\.ts$|^electron\/core\/ipc\/[a-z-]+\.ts$/

/** How a module reaches another: by names, or by its path, to run it or to load it later. */
const reach = /(?<=\b(?:from|import)\s+|\bimport\(|\bURL\(\s*)'(?<path>[.#][^'?]+)/g

const threads = /^#(?=core|store|exchange|team|wire|keychain)/

/** The modules that one other reads by names, and that are small and without a test of their own. */
function fragments(texts: ReadonlyMap<string, string>): string[] {
  const readers = new Map<string, { readonly by: Set<string>; byPath: boolean }>()
  for (const [file, text] of texts)
    for (const { groups, index } of text.matchAll(reach)) {
      const path = groups?.['path'] ?? ''
      const target = path.startsWith('#')
        ? path.replace(threads, 'electron/').replace('#', '')
        : relative(repository, resolve(repository, dirname(file), path))
      const of = readers.get(target) ?? { by: new Set<string>(), byPath: false }
      of.by.add(file)
      if (!/from\s+$/.test(text.slice(0, index))) of.byPath = true
      readers.set(target, of)
    }
  return [...texts].flatMap(([file, text]) => {
    const of = readers.get(file)
    if (!of || of.byPath || file.startsWith('tests/') || file.endsWith('.vue') || form.test(file)) return []
    const tested = [...of.by].some((reader) => reader.startsWith('tests/'))
    const product = [...of.by].filter((reader) => !reader.startsWith('tests/'))
    return !tested && product.length === 1 && text.trimEnd().split('\n').length <= small ? [file] : []
  })
}

function* modulesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* modulesIn(path)
    else if (/\.(?:ts|mjs|vue)$/.test(entry.name)) yield path
  }
}

describe('modules with one reader', () => {
  it('are things of their own, or merged into it', () => {
    const texts = new Map<string, string>()
    for (const folder of ['contract', 'electron', 'kit', 'practice', 'renderer', 'scripts', 'tests'])
      for (const file of modulesIn(folder)) texts.set(file, readFileSync(join(repository, file), 'utf8'))
    expect(fragments(texts).toSorted()).toEqual(Object.keys(alone))
    expect(Object.keys(alone).length).toBeLessThanOrEqual(3)
  })

  it('are found by their reader', () => {
    const reader =
      "import { a } from './a.ts'\nimport { b } from '#kit/b.ts'\nvoid import('./late.ts')\nimport './done.ts'"
    const texts = new Map([
      ['kit/reader.ts', reader],
      ['kit/other.ts', "import { b } from './b.ts'\nnew URL('./run.ts', import.meta.url)"],
      ['tests/unit/tested.test.ts', "import { c } from '#kit/c.ts'"],
      ['kit/last.ts', "import { c } from './c.ts'\nimport type { long } from './long.ts'"],
      ['kit/long.ts', 'export const long = 1\n'.repeat(41)],
      ...['a', 'b', 'c', 'late', 'done', 'run'].map((name): [string, string] => [
        `kit/${name}.ts`,
        'export const x = 1'
      ])
    ])
    expect(fragments(texts)).toEqual(['kit/a.ts'])
  })
})
