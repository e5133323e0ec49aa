/** Sentences of the window: plurals, and the language that tests use to find what was forgotten. */
import { describe, expect, it } from 'vitest'
import { counted, inLanguage, isolated, plural } from '../../renderer/kit/language.ts'
import { pseudo } from '../../renderer/kit/pseudo.ts'

describe('a plural', () => {
  it('has the form and the separators of its number', () => {
    const rows = { one: '{n} row is held', other: '{n} rows are held' }
    expect([0, 1, 2, 1200].map((value) => plural(value, rows))).toEqual([
      '0 rows are held',
      '1 row is held',
      '2 rows are held',
      '1,200 rows are held'
    ])
    expect(counted(1, 'entry', 'entries')).toBe('1 entry')
  })
})

describe('a value within a sentence', () => {
  const words = inLanguage({ assigned: ({ name }: { name: string }) => `Assigned to ${name}.`, done: 'Done' })

  it('keeps its direction inside it, and cannot end that itself', () => {
    expect(words.assigned({ name: 'Anna' })).toBe('Assigned to Anna.')
    expect(words.assigned({ name: 'سارة' })).toBe('Assigned to \u2068سارة\u2069.')
    expect(isolated('سا\u2069رة')).toBe('\u2068سا⟨U+2069⟩رة\u2069')
    expect(isolated('a\u2067b')).toBe('\u2068a⟨U+2067⟩b\u2069')
    expect(isolated(7)).toBe(7)
    // A sentence within a sentence keeps its own.
    expect(isolated(words.assigned({ name: 'سارة' }))).toBe('\u2068Assigned to \u2068سارة\u2069.\u2069')
    expect(isolated('\u2068a\u2069')).toBe('\u2068a\u2069')
    expect(words.done).toBe('Done')
  })
})

describe('the pseudo-language', () => {
  const words = pseudo({
    save: 'Save the record',
    removed: ({ name, rows }: { name: string; rows: number }) =>
      `${name}: ${plural(rows, { one: '{n} row removed', other: '{n} rows removed' })}`,
    list: (names: readonly string[]) => `Added ${names.join(', ')}`,
    by: 'Created by {operator}',
    link: 'Open <link>the record</link>',
    labels: { good: 'Favourable' }
  })

  it('leaves no letter of a sentence without an accent, and is longer', () => {
    expect(words.save).not.toMatch(/[A-Za-z]/)
    expect(words.save.length).toBeGreaterThan('Save the record'.length * 1.3)
    expect(words.labels.good).not.toMatch(/[A-Za-z]/)
  })

  it('leaves values, numbers and places as they are', () => {
    expect(words.removed({ name: 'Anna {n}', rows: 2 })).toMatch(/^Anna \{n\}: 2 [^A-Za-z]+$/)
    expect(words.list(['Anna', 'Bo'])).toMatch(/Anna, Bo$/)
    expect(words.by).toMatch(/ \{operator\}$/)
    expect(words.link).toMatch(/<link>[^A-Za-z]+<\/link>$/)
  })
})
