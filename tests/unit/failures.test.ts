import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, failureTable } from '#contract/failures.ts'

const folder = path.join(import.meta.dirname, '../../contract/failures')

describe('The table of failures', () => {
  it('holds every row of every noun: no code stands in two of them', () => {
    const codes = readdirSync(folder).flatMap((name) =>
      Array.from(readFileSync(path.join(folder, name), 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: \{$/gm), (match) => match[1])
    )
    expect(codes.length).toBeGreaterThan(80)
    expect(codes.sort()).toEqual(Object.keys(failureTable).sort())
  })

  it('says three whole sentences in each row', () => {
    for (const [code, row] of Object.entries(failureTable)) {
      for (const sentence of [row.what, row.safe, row.todo]) {
        expect(sentence, code).toMatch(/^[A-Z{“].*\.$/)
        expect(sentence, code).not.toContain('!')
      }
    }
  })

  it('fills in what is known, and leaves out what is not', () => {
    expect(failure('connection-name-taken', { name: 'Live' }).what).toBe('Another connection is already called “Live”.')
    expect(failure('internal').what).toBe('Veridesk met an error of its own.')
  })
})
