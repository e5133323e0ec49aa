/** The guide inside the program: its paragraphs, those of each page, and what a search finds. */
import { describe, expect, it } from 'vitest'
import { keysOf } from '../../renderer/features/help/page-keys.ts'
import type { FailureRows } from '#contract/failures/declaration.ts'
import { failureTable } from '#contract/failures/table.ts'
import { terms, type GuidePlace } from '../../renderer/features/help/terms.ts'
import { operations } from '#contract/verification/operations.ts'
import { foundIn, guide, helpOf, nearest, pageHelp, paragraphsOf } from '../../renderer/features/help/guide.ts'

describe('the guide', () => {
  it('has each paragraph that a page names, once, with text', () => {
    for (const [page, titles] of Object.entries(pageHelp))
      expect(helpOf(page).map(({ title }) => title)).toEqual(titles)
    const titles = guide.map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
    expect(guide.filter(({ blocks }) => blocks.length === 0)).toEqual([])
  })
  it('has the paragraph of each term and of each failure that names one', () => {
    const titles = guide.map(({ title }) => title)
    const ofFailures = Object.values(failureTable as FailureRows).flatMap((row) => row.guide ?? [])
    expect(ofFailures.length).toBeGreaterThan(30)
    expect(ofFailures.filter((title) => !titles.includes(title))).toEqual([])
    for (const { title, word } of Object.values(terms) as GuidePlace[]) {
      const blocks = guide.find((paragraph) => paragraph.title === title)?.blocks ?? []
      const bold = blocks
        .flatMap((block) => (block.kind === 'text' ? block.pieces : []))
        .filter(({ as }) => as === 'strong')
      expect(blocks.length, title).toBeGreaterThan(0)
      if (word !== undefined) expect(bold.map(({ text }) => text.toLowerCase())).toContain(word.toLowerCase())
    }
  })
  it('keeps nothing of the marks of its source, tables and lists included', () => {
    const shown = JSON.stringify(guide.map(({ blocks }) => blocks.filter(({ kind }) => kind !== 'code')))
    expect(shown.match(/.{20}(?:\*\*|\]\().{20}/g) ?? []).toEqual([])
    const [made] = paragraphsOf(
      '# A\n\n## B\nOne **two** [three](x.md).\n\n- four\n  five\n- six\n\n| a | b |\n|---|---|\n| c | d |\n'
    )
    expect(made?.blocks.map(({ kind }) => kind)).toEqual(['text', 'list', 'table'])
    expect(made?.blocks[1]).toMatchObject({ items: [[{ text: 'four five' }], [{ text: 'six' }]] })
  })
  it('finds words in any of it, headings first, and three that are nearest', () => {
    expect(foundIn('four-eyes')[0]?.title).toBe('Four-eyes approval')
    expect(foundIn('recovery key').map(({ title }) => title)).toContain('Data management')
    expect(foundIn('qqqqq')).toEqual([])
    expect(nearest('documnts')[0]?.title).toBe('Documents')
    expect(nearest('documnts')).toHaveLength(3)
  })
})

it('names the keys of each page', () => {
  for (const page of Object.keys(pageHelp)) expect(keysOf(page).length, page).toBeGreaterThan(1)
  const everywhere = keysOf('settings').map(({ keys }) => keys.join(' '))
  for (const key of ['Ctrl K', 'F1', 'F6', ...operations.map((_, index) => `Ctrl ${index + 1}`)])
    expect(everywhere).toContain(key)
  const inQueue = keysOf('queue').flatMap(({ keys }) => keys.join(' '))
  expect(inQueue).toContain('V')
  expect(inQueue.filter((key, index) => key !== 'Esc' && inQueue.indexOf(key) !== index)).toEqual([])
})
