/** The audit trail page's text for an event. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auditKinds } from '#contract/evidence/event-sentences.ts'
import { wholeEvents } from './support/whole-events.ts'

const said = (kind: string, plain: Readonly<Record<string, unknown>>): string | undefined =>
  auditKinds[kind]?.words(plain, { connection: () => 'a connection' })

/** Sources of what writes events, with their paths. */
function writers(): { readonly path: string; readonly text: string }[] {
  const root = join(import.meta.dirname, '..', '..', 'electron')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { path: relative(root, path), text: readFileSync(path, 'utf8') }
    })
}

describe('what an event says', () => {
  it('is a code with values: no writer puts words into it', () => {
    const wordsIn = (text: string): readonly string[] =>
      (text.match(/plain: \{(?:[^{}]|\$\{[^}]*\})*\}/g) ?? []).filter((plain) =>
        /(['"`])[^'"`]*[a-z] [a-z][^'"`]*\1/i.test(plain)
      )
    expect(wordsIn("note({ kind: 'x', plain: { name: 'recovery key', to: '' } })")).toHaveLength(1)
    expect(wordsIn('note({ plain: { to: `set aside as ${kept}` } })')).toHaveLength(1)
    const found = writers().flatMap(({ path, text }) => wordsIn(text).map((plain) => `${path}: ${plain}`))
    // What values of an event are is told to authors of verifiers.
    expect(found.filter((each) => !each.startsWith('core/evidence/kinds.ts'))).toEqual([])
  })

  it('is a sentence where it is shown, for actions and settings', () => {
    expect(said('setting.changed', { action: 'recovery-key.created' })).toBe('The recovery key was made anew.')
    expect(said('setting.changed', { action: 'history.restored', backup: 'b-1' })).toBe(
      'The history was restored from the backup b-1.'
    )
    expect(said('setting.changed', { action: 'team.sharing-chosen', except: 2 })).toBe(
      'Records of all connections except 2 are shared with the team.'
    )
    expect(said('setting.changed', { action: 'toString' })).toBe('Action toString, which this version does not know.')
    expect(said('setting.changed', { name: 'theme', from: 'light', to: 'dark' })).toBe(
      'Setting theme changed from “light” to “dark”.'
    )
    expect(said('export.made', { what: 'link-findings', format: 'csv', rows: 2 })).toBe(
      'Export (rows with link findings, csv) with 2 entries saved.'
    )
  })
})

describe('the words of the audit trail', () => {
  it('leave no place empty where a value is missing that no event has', () => {
    const all = Object.entries(wholeEvents).flatMap(([kind, plains]) => plains.map((plain) => said(kind, { ...plain })))
    expect(
      all.filter((words = '') => !/^\S.*[^ ]\.$/.test(words) || /  | [.,)]|\(\)|undefined|null/.test(words))
    ).toEqual([])
    expect(said('batch.taken', { id: 'b', over: {}, operator: 'tester' })).toBe('Shared batch taken, to be run here.')
  })

  it('tell of files of copies that an erasure has deleted, and of those that it could not', () => {
    const erased = { cause: 'request', records: 2 }
    expect(said('subject.erased', erased)).toBe('Personal data erased by request: 2 records.')
    expect(said('subject.erased', { ...erased, documents: 1 })).toBe(
      'Personal data erased by request: 2 records, 1 copy of a document.'
    )
    const cleared = { backupsRewritten: 0, copiesNotReached: [], documentsNotDeleted: 2 }
    expect(said('copies.cleared', cleared)).toBe(
      'Erased data removed from 0 backups and copies. 2 files of documents could not be deleted; nobody can open what is left.'
    )
  })

  it('tell each turn of a batch, and why it stopped', () => {
    expect(said('batch.changed', { from: 'made', to: 'running' })).toBe('Batch started.')
    expect(said('batch.changed', { from: 'paused', to: 'running' })).toBe('Batch resumed.')
    expect(said('batch.changed', { from: 'running', to: 'finished' })).toBe('Batch finished.')
    expect(said('batch.changed', { from: 'running', to: 'stopped', reason: 'disk-full' })).toBe(
      'Batch stopped (disk-full).'
    )
  })
})
