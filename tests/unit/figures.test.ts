/** Figures: what a run writes, what is generated from it, and that neither can be edited. */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { benchSections } from '../../scripts/bench/sections.ts'
import { fileOf, keepFigures, keptFigures } from '../../scripts/figures/files.ts'
import { figuresText, readFigures, type Figures } from '../../scripts/figures/format.ts'
import { benchmarksPage, missedWords, proofPage, sectionText } from '../../scripts/figures/page.ts'
import { rowOf } from '../../scripts/figures/row.ts'
import { chosenSections, runSections } from '../../scripts/figures/run.ts'
import { NotHere, type Measured, type Section } from '../../scripts/figures/section.ts'
import { proofSections } from '../../scripts/prove/sections.ts'

const repository = join(import.meta.dirname, '..', '..')
const twenty = Array.from({ length: 20 }, (_, n) => n + 1)

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'veridesk-figures-'))
  writeFileSync(join(root, 'package.json'), '{ "version": "1.2.3" }')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const sectionOf = (measured: Measured, name = 'speed'): Section => ({
  name,
  title: 'Speed',
  words: 'How fast it is.',
  run: async () => measured
})
const met = rowOf({ name: 'work', unit: 'ms', samples: [10], aims: { single: 20 } })
const missed = rowOf({ name: 'work', unit: 'ms', samples: [30], aims: { single: 20 } })

let kept = 0
async function ran(
  sections: readonly Section[],
  ...args: string[]
): Promise<{ readonly code: number; readonly said: string }> {
  let said = ''
  kept = 0
  const code = await runSections({
    command: 'bench',
    root,
    sections,
    args,
    context: (run) => run,
    onKept: () => void (kept += 1),
    out: () => undefined,
    error: (text) => (said += text)
  })
  return { code, said }
}

describe('a row', () => {
  it('shows one sample as it is, and several by median, 95th percentile and largest', () => {
    expect(met.ours).toEqual({ samples: 1, values: { single: 10 } })
    expect(rowOf({ name: 'work', unit: 'ms', samples: twenty }).ours).toEqual({
      samples: 20,
      values: { median: 11, p95: 20, largest: 20 }
    })
  })

  it('holds a p95 to its aim where the median would meet it', () => {
    const row = rowOf({ name: 'work', unit: 'ms', samples: twenty, aims: { p95: 15, median: 15 } })
    expect(row.aims).toEqual([
      { of: 'p95', value: 20, atMost: 15, met: false },
      { of: 'median', value: 11, atMost: 15, met: true }
    ])
    expect(missedWords(row)).toEqual(['work: p95 20.0 ms, target at most 15.0 ms'])
  })

  it('compares medians with what stands beside it, by ratio and by difference', () => {
    const beside = { what: 'the least', samples: [10, 10, 10] }
    expect(
      rowOf({ name: 'work', unit: 'ms', samples: [14, 16, 90], beside, aims: { ratio: 1.5, difference: 5 } }).aims
    ).toEqual([
      { of: 'ratio', value: 1.6, atMost: 1.5, met: false },
      { of: 'difference', value: 6, atMost: 5, met: false }
    ])
  })

  it('lets a ratio of times that nobody notices pass, and no other', () => {
    const aims = { ratio: { atMost: 1.5, orBelow: 1 } }
    const beside = { what: 'the least', samples: [0.1] }
    expect(rowOf({ name: 'work', unit: 'ms', samples: [0.9], beside, aims }).aims[0]).toMatchObject({
      value: 9,
      met: true
    })
    expect(rowOf({ name: 'work', unit: 'ms', samples: [1.1], beside, aims }).aims[0]).toMatchObject({
      value: 11,
      met: false
    })
  })

  it('is none without samples, and meets no aim that was not measured', () => {
    expect(() => rowOf({ name: 'work', unit: 'ms', samples: [] })).toThrow('not measured')
    expect(() => rowOf({ name: 'work', unit: 'ms', samples: [NaN] })).toThrow('not measured')
    expect(rowOf({ name: 'work', unit: 'ms', samples: [1], aims: { ratio: 2 } }).aims[0]?.met).toBe(false)
  })
})

describe('a run', () => {
  it('ends with 0 where every aim was met, and keeps its figures with version, commit, machine and time', async () => {
    const { code, said } = await ran([
      sectionOf({ rows: [met], notes: ['It was quick.'], versions: { chromium: '150.0' } })
    ])
    expect([code, kept, said]).toEqual([0, 1, expect.stringContaining('Nothing was missed.')])
    const figures = readFigures(readFileSync(join(root, 'docs', 'figures', 'bench-speed.json'), 'utf8'))
    expect(figures).toMatchObject({
      command: 'bench',
      section: 'speed',
      version: '1.2.3',
      commit: null,
      committedOn: null,
      clean: false,
      rows: [met],
      notes: ['It was quick.'],
      versions: { node: process.versions.node, chromium: '150.0' }
    })
    expect(figures.machine.cores).toBeGreaterThan(0)
    expect(Date.now() - Date.parse(figures.startedAt)).toBeLessThan(60_000)
  })

  it('ends with 1 where an aim is missed, something is not as it must be, or a section fails, and lists each at the end', async () => {
    expect(await ran([sectionOf({ rows: [missed] })])).toEqual({
      code: 1,
      said: expect.stringMatching(/Missed:\n- speed: work: 30\.0 ms, target at most 20\.0 ms\n$/)
    })
    expect(await ran([sectionOf({ faults: ['a row was lost'] })])).toEqual({
      code: 1,
      said: expect.stringMatching(/- speed: a row was lost\n$/)
    })
    const failing: Section = { ...sectionOf({}), run: () => Promise.reject(new Error('no browser')) }
    expect(await ran([failing, sectionOf({ rows: [met] }, 'other')])).toEqual({
      code: 1,
      said: expect.stringMatching(/no browser[^]*- speed: not measured, since it failed\n$/)
    })
    expect(readdirSync(join(root, 'docs', 'figures'))).toContain('bench-other.json')
  })

  it('stores what this machine cannot run, with the reason, and does not count it as missed', async () => {
    const notRun = [{ name: 'a power cut', why: 'the kernel has no device mapper' }]
    const table = { columns: ['fault', 'times'], rows: [] }
    expect((await ran([sectionOf({ table, notRun })])).code).toBe(0)
    expect(readFigures(readFileSync(join(root, 'docs', 'figures', 'bench-speed.json'), 'utf8'))).toMatchObject({
      notRun
    })
    expect((await ran([sectionOf({ table, notRun, faults: ['a file was lost'] })])).code).toBe(1)
  })

  it('does not count a section as missed that needs what the machine does not have', async () => {
    const absent: Section = { ...sectionOf({}), run: () => Promise.reject(new NotHere('there is no keyring')) }
    expect((await ran([absent])).code).toBe(0)
    const figures = readFigures(readFileSync(join(root, 'docs', 'figures', 'bench-speed.json'), 'utf8'))
    expect(figures.notRun).toEqual([{ name: 'the whole section', why: 'there is no keyring' }])
    expect(sectionText(absent, figures)).toContain(
      '- **Not run here:** the whole section, because there is no keyring.\n'
    )
  })

  it('measures what was chosen, and refuses names and scales that are none', async () => {
    const sections = [sectionOf({ rows: [met] }), sectionOf({ rows: [missed] }, 'other')]
    expect((await ran(sections, '--only', 'speed')).code).toBe(0)
    expect(await ran(sections, '--only', 'speed,sped')).toEqual({
      code: 2,
      said: 'There is no section “sped”. Choose from: speed, other.\n'
    })
    for (const scale of ['0', '2', 'half']) expect((await ran(sections, '--scale', scale)).code).toBe(2)
    expect((await ran(sections, '--fast')).code).toBe(2)
    expect(chosenSections(sections, undefined)).toBe(sections)
  })

  it('writes nothing of a trial with smaller sizes', async () => {
    let size = 0
    const section: Section = { ...sectionOf({}), run: async ({ sized }) => ((size = sized(1000)), { rows: [met] }) }
    expect((await ran([section], '--scale', '0.01')).said).toContain('nothing was written')
    expect([size, kept]).toEqual([10, 0])
    expect(() => readdirSync(join(root, 'docs'))).toThrow('ENOENT')
  })
})

describe('kept figures', () => {
  const speed = sectionOf({ rows: [met] })
  const path = (): string => join(root, 'docs', 'figures', fileOf('bench', speed))

  it('are refused once somebody has typed over one', async () => {
    await ran([speed])
    const text = readFileSync(path(), 'utf8')
    expect(() => readFigures(text)).not.toThrow()
    expect(() => readFigures(text.replace('"single": 10', '"single": 9'))).toThrow('not those that their run wrote')
    expect(() => readFigures(text.replace(/"processor": ".*"/, '"processor": "Faster"'))).toThrow(
      'not those that their run wrote'
    )
    expect(() => readFigures(text.replace('veridesk-figures/1', 'veridesk-figures/9'))).toThrow()
  })

  it('belong to a section each', () => {
    for (const [command, sections] of [
      ['bench', benchSections],
      ['prove', proofSections]
    ] as const) {
      expect(() => keptFigures(repository, command, sections)).not.toThrow()
    }
    const named = [
      ...benchSections.map((section) => fileOf('bench', section)),
      ...proofSections.map((section) => fileOf('prove', section))
    ]
    expect(new Set(named).size).toBe(named.length)
    expect(globSync('*', { cwd: join(repository, 'docs', 'figures') }).filter((name) => !named.includes(name))).toEqual(
      []
    )
  })
})

describe('a page', () => {
  const head = { title: 'Figures', words: ['How to repeat it.'] }
  const section = { name: 'speed', title: 'Speed', words: 'How fast it is.' }
  const figures: Figures = {
    format: 'veridesk-figures/1',
    command: 'bench',
    section: 'speed',
    version: '1.2.3',
    commit: '0123456789abcdef0123456789abcdef01234567',
    clean: true,
    committedOn: '2026-11-21',
    startedAt: '2026-11-22T14:03:59.000Z',
    seconds: 84,
    machine: {
      processor: 'Some Processor',
      cores: 2,
      memoryGiB: 24,
      system: 'linux 6.18',
      loadAtStart: 0.94,
      loadAtEnd: 1.25
    },
    versions: { node: '24.21.0', electron: '45.4.1' },
    notes: ['It ran from its build.'],
    rows: [
      rowOf({
        name: 'first page',
        unit: 'ms',
        samples: twenty,
        beside: { what: 'bare SQL', samples: [20, 30, 40], cannotWin: 'full scan' },
        aims: { p95: 15, ratio: 1.5 }
      }),
      rowOf({ name: 'memory', unit: 'MB', samples: [250.5], aims: { single: 1250 } })
    ],
    faults: { count: 0, first: [] }
  }

  it('of benchmarks shows each figure with a target, what it stands beside, and of which version it is', () => {
    expect(benchmarksPage(head, [{ section, figures }])).toBe(`# Figures

<!-- Generated by \`npm run reference\` from docs/figures/, which runs write. Edit neither. -->

**2 of 3 targets were met.** Of version 1.2.3, on 2 × Some Processor, 24 GiB of memory.

| work | median | p95 | baseline | ratio | target | version |
|---|--:|--:|---|--:|---|---|
| **Speed** (\`speed\`) |  |  |  |  |  | 1.2.3, 2026-11-21 |
| first page | 11.0 ms | 20.0 ms | bare SQL: 30.0 ms | 0.37 (full scan) | p95 ≤ 15 ms: **not met**; ratio ≤ 1.5: met |  |
| memory | 251 MB |  |  |  | ≤ 1,250 MB: met |  |

How to repeat it.
`)
  })

  it('names every version and machine, and what has not been measured', () => {
    const other = { ...figures, version: '1.3.0', machine: { ...figures.machine, cores: 8 } }
    const page = benchmarksPage(head, [
      { section, figures },
      { section, figures: other },
      { section: { ...section, name: 'size' } }
    ])
    expect(page).toContain(
      'Of version 1.2.3 and 1.3.0, on 2 × Some Processor, 24 GiB of memory and 8 × Some Processor, 24 GiB of memory. Not measured yet: `size`.'
    )
  })

  const table = {
    columns: ['fault', 'times'],
    rows: [
      ['a | b', 1000],
      ['c', 2]
    ]
  }
  const counts = { times: 'faults' }
  const proof = (changes: Partial<Figures>, kept: Readonly<Record<string, string>> = counts): string =>
    proofPage(head, [{ section: { ...section, counts: kept }, figures: { ...figures, rows: [], table, ...changes } }])

  it('of proofs shows what was injected, and whether all of it ended as required', () => {
    expect(proof({})).toContain('**1 of 1 proofs ended as required.**')
    expect(proof({})).toContain('| Speed | `speed` | 1,002 faults | as required | 1.2.3, 2026-11-21 |\n')
    expect(proof({}, {})).toContain('| 2 cases | as required |')
    expect(proof({ rows: figures.rows })).toContain('| 1,002 faults; 3 targets | **1 targets missed** |')
    expect(proof({ faults: { count: 21, first: ['it was lost'] } })).toContain('| 1,002 faults | **21 wrong** |')
    expect(() => proof({}, { fault: 'faults' })).toThrow('no numbers in a column “fault”')
  })

  it('of proofs claims nothing about what the machine could not run', () => {
    const notRun = [{ name: 'a power cut', why: 'the kernel has no device mapper' }]
    const words = 'not run: a power cut, because the kernel has no device mapper'
    expect(proof({ notRun })).toContain(`| 1,002 faults | as required; ${words} |`)
    const nothing = proof({ notRun, table: { columns: table.columns, rows: [] } })
    expect(nothing).toContain('**0 of 0 proofs')
    expect(nothing).toContain(`| Speed | \`speed\` |  | ${words} |`)
  })

  it('is made of the file as it is kept', () => {
    keepFigures(root, figures)
    expect(keptFigures(root, 'bench', [section])).toEqual([{ section, figures }])
    expect(figuresText(figures)).toBe(readFileSync(join(root, 'docs', 'figures', 'bench-speed.json'), 'utf8'))
  })
})

it('a run shows counts, what was wrong, what could not run, and the commit', () => {
  const figures: Figures = {
    format: 'veridesk-figures/1',
    command: 'prove',
    section: 'speed',
    version: '1.2.3',
    commit: '0123456789abcdef0123456789abcdef01234567',
    committedOn: '2026-11-21',
    clean: false,
    startedAt: '2026-11-22T14:03:59.000Z',
    seconds: 84,
    machine: {
      processor: 'Some Processor',
      cores: 2,
      memoryGiB: 24,
      system: 'linux 6.18',
      loadAtStart: 0.94,
      loadAtEnd: 1.25
    },
    versions: { node: '24.21.0' },
    notes: ['It ran from its build.'],
    rows: [],
    table: { columns: ['fault', 'times'], rows: [['a | b', 1000]] },
    faults: { count: 0, first: [] }
  }
  const section = { name: 'speed', title: 'Speed', words: 'How fast it is.' }
  expect(sectionText(section, figures)).toBe(`## Speed

How fast it is.

It ran from its build.

| fault | times |
|---|--:|
| a \\| b | 1,000 |

All results were as required.

Version 1.2.3, at commit 0123456789ab of 2026-11-21 with changed files, on 2026-11-22 at 14:03 UTC, for 84 s: 2 × Some Processor, 24 GiB of memory, linux 6.18, Node 24.21.0, load 0.9 at the start and 1.3 at the end.
`)
  expect(sectionText(section, { ...figures, faults: { count: 21, first: ['it was lost'] } })).toContain(
    '**Wrong results: 21**\n\n- it was lost\n'
  )
})
