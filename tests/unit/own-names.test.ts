import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asideName, isOwnName, ownFiles, ownFolders, setAsideName } from '#wire/files/own-names.ts'

/** Names below a folder that is not a data folder, or that the folder's own module keeps. */
const elsewhere: Readonly<Record<string, string>> = {
  'electron/hosts/node/prepare-folder.ts': 'a temporary file, which isOwnName knows by its form',
  'electron/hosts/node/policies/windows.ts': 'a temporary folder of its own',
  'electron/hosts/node/sample-folder.ts': 'a lock in the system’s temporary folder',
  'electron/hosts/preview/main.ts': 'the built window',
  'electron/core/history/copy-worker.ts': 'in a folder of a backup',
  'electron/core/exports/authority.ts': 'in a folder that the user chose',
  'electron/store/engine/opening.ts': 'in the folder of the history',
  'electron/core/erasure/clearing.ts': 'in a history that was set aside'
}

const sources = readdirSync('electron', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('electron', name))
const own = new Set<string>([...Object.values(ownFiles), ...Object.values(ownFolders)])

describe('names of what Veridesk creates in a data folder', () => {
  it('are written in one table only', () => {
    const written: string[] = []
    for (const path of sources) {
      if (path in elsewhere || path.endsWith('own-names.ts')) continue
      const text = readFileSync(path, 'utf8')
      for (const [call] of text.matchAll(/\bjoin\((?:[\w.]*[fF]older|data)(?:\([^)]*\))?, ['"`][^)]*\)/g))
        written.push(`${path}: ${call}`)
      // A file's name as a value of its own, such as a constant. Folders' names are ordinary words.
      for (const name of Object.values(ownFiles)) if (text.includes(`'${name}'`)) written.push(`${path}: ${name}`)
    }
    expect(written, 'take the name from core/files/own-names.ts, or say in this test what folder it is').toEqual([])
  })

  it('are recognised, and so are files that were set aside', () => {
    for (const name of own) expect([name, isOwnName(name)]).toEqual([name, true])
    for (const name of Object.values(ownFiles))
      expect(isOwnName(asideName(name, 'newer', '20260131T120000Z-1f2e'))).toBe(true)
    for (const name of [
      `${setAsideName}2026-01-31T12-00-00-000Z`,
      '.connections.json.new-12.0123456789ab',
      '.veridesk.new-7.0123456789ab',
      'running.lock.17',
      'Crashpad',
      'SingletonLock'
    ])
      expect([name, isOwnName(name)]).toEqual([name, true])
  })

  it('are not those of other programs', () => {
    for (const name of [
      'thesis.txt',
      'settings.json.bak',
      'settings.copy.json',
      'settings.damaged-a b.json',
      'Team',
      'team.json~',
      '.bashrc',
      'my history',
      'running.lock.old'
    ])
      expect([name, isOwnName(name)]).toEqual([name, false])
  })
})
