/** A state in SQL has a name: the same number means something else in another table. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** A column of states, and a number that it is held against or set to. */
const numbered = /\b(?:state|kind|fault|checked)\b\s*(?:=|<>|!=|<=|>=|<|>|IN\s*\()\s*-?\d/g
/** Statements only: one line of a text or template that has a word of SQL. */
const isStatement = (line: string): boolean =>
  /\b(?:SELECT|UPDATE|DELETE|INSERT|WHERE|FROM|SET|WHEN|AND|ON CONFLICT)\b/.test(line)

const unnamed = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (isStatement(line) ? (line.match(numbered) ?? []) : []))

test('no statement has the number of a state', () => {
  expect(
    unnamed("`SELECT 1 FROM subject s WHERE s.state = 2 AND fault > 1`\n'UPDATE entry SET kind IN (8, 9)'")
  ).toEqual(['state = 2', 'fault > 1', 'kind IN (8'])
  const folder = join(root, 'electron')
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|sql)$/.test(entry.name))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name)
      return unnamed(readFileSync(path, 'utf8')).map((each) => `${relative(root, path)}: ${each}`)
    })
  expect(found).toEqual([])
})
