/** Nothing that a person names is written into Veridesk's own data, whichever writer is asked, and however it is named. */
import { createHash } from 'node:crypto'
import { linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { commands, isStandalone, type CommandName } from '../../electron/hosts/cli/commands.ts'
import type { Option } from '../../electron/hosts/cli/command.ts'
import { said } from '../said.ts'
import { command as run } from './support/command.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

/** Every file of a folder, with the digest of its content. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    // The log and the lock change with each start.
    if (/^logs|running\.lock/.test(name) || !lstatSync(join(folder, name)).isFile()) continue
    found[name] = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  }
  return found
}

/** Paths that are files of the data folder, by each way to name one. */
const waysToName: Readonly<Record<string, (data: string, beside: string, name: string) => string>> = {
  'its path': (data, _beside, name) => join(data, name),
  'a path with dots': (data, _beside, name) => `${data}/../${data.split('/').at(-1)}/./${name}`,
  'a relative path': (data, _beside, name) => relative(process.cwd(), join(data, name)),
  'a linked folder': (data, beside, name) => {
    symlinkSync(data, join(beside, 'linked'))
    return join(beside, 'linked', name)
  },
  'a link to a folder in it': (data, beside, name) => {
    const at = join(data, name, '..')
    symlinkSync(at, join(beside, 'inner'))
    return join(beside, 'inner', name.split('/').at(-1) ?? '')
  },
  'a hard link': (data, beside, name) => {
    linkSync(join(data, name), join(beside, 'hard.json'))
    return join(beside, 'hard.json')
  }
}

const targets = ['history/history.db', 'connections.json']

let folder: string
let workspace: TestConsole
beforeAll(async () => {
  workspace = await startTestConsole()
  const { id: connectionId } = await workspace.get('practice.start')
  await workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: 'A-1' }
  })
})
afterAll(async () => workspace.dispose())
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'veridesk-own-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the window', () => {
  const requests: { readonly [Name in ChannelName]?: RequestOf<Name> } = {
    'support.save': undefined,
    'exports.history': { exportId: crypto.randomUUID(), filter: {}, format: 'jsonl' },
    'exports.applicants': { exportId: crypto.randomUUID(), format: 'csv' },
    'evidence.create': { about: { kind: 'applicant', id: 'A-1' }, profile: 'full', pdf: false },
    'evidence.savePublicKey': undefined,
    'evidence.saveVerifier': { form: 'mjs' },
    'batches.template': { operations: ['get-applicant-details'] },
    'certificates.request': { name: 'A' }
  }
  it.each(Object.keys(waysToName))('refuses %s', async (way) => {
    for (const target of targets) {
      const beside = mkdtempSync(join(folder, 'way-'))
      workspace.save = waysToName[way]?.(workspace.dataFolder, beside, target) ?? ''
      for (const [channel, request] of Object.entries(requests)) {
        const before = contentOf(join(workspace.dataFolder, 'history'))
        const connections = readFileSync(join(workspace.dataFolder, 'connections.json'), 'utf8')
        const answer = await workspace.ask(channel as 'support.save', request as undefined)
        expect(answer, `${channel} into ${workspace.save}`).toMatchObject({
          ok: false,
          failure: { details: { reason: 'own' } }
        })
        expect(said(answer)).toContain('it is in a data folder of Veridesk')
        expect(Object.keys(contentOf(join(workspace.dataFolder, 'history')))).toEqual(Object.keys(before))
        expect(readFileSync(join(workspace.dataFolder, 'connections.json'), 'utf8')).toBe(connections)
      }
    }
    expect(await workspace.get('history.counts', { filter: {} })).toMatchObject({ total: 1 })
  })

  it('writes a new file beside the data folder, and none into it', async () => {
    workspace.save = join(folder, 'support.json')
    expect(await workspace.ask('support.save')).toMatchObject({ ok: true })
    workspace.save = join(workspace.dataFolder, 'new.json')
    expect(await workspace.ask('support.save')).toMatchObject({ ok: false, failure: { details: { reason: 'own' } } })
    workspace.save = join(workspace.dataFolder, 'history', 'new.json')
    expect(await workspace.ask('support.save')).toMatchObject({ ok: false, failure: { details: { reason: 'own' } } })
  })

  it('knows a part of the data folder that is a link to elsewhere, and other data folders', async () => {
    const elsewhere = join(folder, 'backups')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(workspace.dataFolder, 'backups'))
    workspace.save = join(elsewhere, 'new.json')
    expect(await workspace.ask('support.save')).toMatchObject({ ok: false, failure: { details: { reason: 'own' } } })
    rmSync(join(workspace.dataFolder, 'backups'))
    const other = await startTestConsole({ dataFolder: join(folder, 'other'), practice: workspace.practice })
    workspace.save = join(folder, 'other', 'history', 'history.db')
    expect(await workspace.ask('support.save')).toMatchObject({ ok: false, failure: { details: { reason: 'own' } } })
    await other.close()
  })
})

describe('the command line', () => {
  const writing = Object.entries(commands).flatMap(([name, { words, options }]) =>
    Object.entries<Option>(options)
      .filter(([, option]) => option.writes)
      .map(([option]) => ({ name: name as CommandName, words: words.join(' '), option }))
  )

  it.each(writing)(
    '$words --$option refuses a file of the data folder before anything else',
    async ({ name, option }) => {
      const { perform } = await import('../../electron/hosts/cli/perform.ts')
      const data = join(folder, 'data')
      mkdirSync(join(data, 'history'), { recursive: true })
      const to = join(data, 'history', 'history.db')
      const ending = await perform(
        { command: name, operands: [], options: { [option]: to }, dataFolder: data },
        undefined as never,
        undefined as never
      )
      expect(ending).toMatchObject({
        exit: 'failed',
        error: expect.stringContaining('it is in a data folder of Veridesk') as string
      })
      expect(contentOf(data), isStandalone(name) ? 'standalone' : '').toEqual({})
    }
  )

  it.each([
    ['export', 'history', '--to'],
    ['support-bundle', '--to'],
    ['team', 'schema', '--to']
  ])('%s %s as a process', async (...words) => {
    // A folder that no process holds.
    const data = join(folder, 'data')
    const other = await startTestConsole({ dataFolder: data, practice: workspace.practice })
    await other.close()
    for (const target of targets) {
      const before = contentOf(data)
      const done = await run([...words, join(data, target), '--data', data])
      expect(done).toMatchObject({
        code: 1,
        out: '',
        error: expect.stringContaining('it is in a data folder of Veridesk') as string
      })
      expect(contentOf(data)).toEqual(before)
    }
  })

  it('a batch’s results, too', async () => {
    const done = await run([
      'batch',
      'save',
      'x',
      '--out',
      join(workspace.dataFolder, 'connections.json'),
      '--data',
      workspace.dataFolder
    ])
    expect(done).toMatchObject({
      code: 1,
      error: expect.stringContaining('it is in a data folder of Veridesk') as string
    })
  })
})
