/** Packs about many people for an authority, and what is known of a list of IDs. */
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { maxAuthorityPersons } from '#contract/evidence/authority.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { commandLine } from './support/program.ts'

const receiver = { recipient: 'CANARY authority', basis: 'CANARY § 5' }

describe('an export for an authority', () => {
  let console: TestConsole
  let server: DocumentServer
  beforeAll(async () => void (server = await serveDocuments()))
  afterAll(() => server.close())
  beforeEach(async () => {
    console = await startTestConsole()
    const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
    await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
    for (const applicant_id of ['APP-1', 'APP-2', '=1+1'])
      await console.get('verification.run', {
        runId: randomUUID(),
        connectionId: id,
        operation: 'validate-applicant-id-document',
        input: { applicant_id, document_url: server.at(card) },
        repeatAnyway: true
      })
  })
  afterEach(() => console.dispose())
  const order = (applicantIds: readonly string[], documents = true) => ({
    ...receiver,
    applicantIds: [...applicantIds],
    documents
  })

  it('has a pack for each person, and says in its index who was not found', async () => {
    await console.get('applicants.relate', { applicantId: 'APP-1', state: 'active', on: '2024-02-29', note: '' })
    await console.get('holds.place', { applicantId: 'APP-2', reason: 'held' })
    console.save = console.fileAt('authority')
    const made = await console.get('evidence.authority', order(['APP-1', 'NOBODY', '=1+1', 'APP-2', 'APP-1']))
    expect(made?.entries.map(({ id, result, file }) => [id, result, file])).toEqual([
      ['APP-1', 'packed', '00001.zip'],
      ['NOBODY', 'not-found', undefined],
      ['=1+1', 'packed', '00003.zip'],
      ['APP-2', 'packed', '00004.zip']
    ])
    expect((await readdir(console.save)).sort()).toEqual(['00001.zip', '00003.zip', '00004.zip', 'index.csv'])
    const index = await readFile(join(console.save, 'index.csv'), 'utf8')
    const [, first = '', second = '', third = ''] = index.split('\r\n')
    expect(first).toMatch(/^APP-1,packed,00001\.zip,[0-9a-f]{64},1,1,0,active,2024-02-29,since 2024-02-29,2/)
    expect(second).toMatch(/^NOBODY,not-found,/)
    // A spreadsheet would calculate it.
    expect(third).toMatch(/^'=1\+1,packed,/)
    const file = await readFile(join(console.save, '00001.zip'))
    expect(first).toContain(createHash('sha256').update(file).digest('hex'))
    expect(file.includes(card)).toBe(true)
    console.open = join(console.save, '00001.zip')
    expect(await console.get('evidence.check')).toMatchObject({ verified: true, about: { id: 'APP-1' } })
  })

  it('says in its index that there was a relationship with who was refused afterwards', async () => {
    for (const [state, on] of [
      ['active', '2020-01-10'],
      ['ended', '2024-06-30'],
      ['refused', '2026-01-20']
    ] as const)
      await console.get('applicants.relate', { applicantId: 'APP-1', state, on, note: '' })
    console.save = console.fileAt('authority')
    await console.get('evidence.authority', order(['APP-1', 'NOBODY'], false))
    const index = await readFile(join(console.save, 'index.csv'), 'utf8')
    const [heading = '', first = ''] = index.split('\r\n')
    const at = heading.split(',').indexOf('relationship')
    expect(heading.split(',').slice(at, at + 3)).toEqual(['relationship', 'relationship_on', 'relationship_periods'])
    expect(first.split(',').slice(at, at + 3)).toEqual(['refused', '2026-01-20', '2020-01-10 to 2024-06-30'])
  })

  it('records who gets it with each person, sealed, so that an erasure reaches it', async () => {
    console.save = console.fileAt('authority')
    await console.get('evidence.authority', order(['APP-1'], false))
    const { pack } = checkPack(await readFile(join(console.save, '00001.veridesk-evidence'), 'utf8'))
    expect(pack?.content.about).toEqual({ kind: 'applicant', id: 'APP-1' })
    expect(await console.get('audit.verify')).toMatchObject({ intact: true, opened: expect.any(Number) as number })
    const before = await console.get('audit.verify')
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
    expect(before).toMatchObject({ erased: 0 })
    expect(JSON.stringify(await console.get('audit.page', { limit: 100 }))).not.toContain('CANARY')
    console.save = console.fileAt('again')
    expect((await console.get('evidence.authority', order(['APP-1'])))?.entries).toEqual([
      { id: 'APP-1', result: 'not-found' }
    ])
  })

  it('goes on without a person who is erased while it runs', async () => {
    console.save = console.fileAt('authority')
    const running = console.get('evidence.authority', order(['APP-1', '=1+1', 'APP-2']))
    await console.get('erasure.run', { applicantId: 'APP-2', confirmation: 'APP-2', reason: 'asked' })
    const made = await running
    expect(made?.entries).toHaveLength(3)
    const last = made?.entries.at(-1)
    // Whichever came first: a pack that was made before, or none.
    expect(['packed', 'not-found', 'not-packed']).toContain(last?.result)
    const files = (await readdir(console.save)).filter((name) => name.endsWith('.zip'))
    expect(files).toHaveLength(made?.entries.filter(({ result }) => result === 'packed').length ?? -1)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('is written to a new or empty folder alone, and never into the data folder', async () => {
    const used = console.fileAt('used')
    await mkdir(used)
    await writeFile(join(used, 'theirs.txt'), 'theirs')
    const link = console.fileAt('link')
    await mkdir(console.fileAt('empty'))
    await symlink(console.fileAt('empty'), link)
    for (const [path, code] of [
      [used, 'authority-folder-used'],
      [link, 'authority-folder-used'],
      [join(used, 'theirs.txt'), 'authority-folder-used'],
      [join(console.dataFolder, 'new'), 'file-unwritable'],
      [join(used, 'no', 'such'), 'file-unwritable']
    ] as const) {
      console.save = path
      expect(await console.ask('evidence.authority', order(['APP-1']))).toMatchObject({ failure: { code } })
    }
    expect(await readdir(used)).toEqual(['theirs.txt'])
    expect(await readdir(console.dataFolder)).not.toContain('new')
    console.save = console.fileAt('empty')
    expect(await console.get('evidence.authority', order(['APP-1']))).not.toBeNull()
  })
})

describe('the command line', () => {
  let folder: string
  let keyring: Keyring
  const cli = (...words: readonly string[]): Promise<{ code: number | null; out: string; error: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [commandLine, ...words, '--data', join(folder, 'data')], {
        env: { ...process.env, ...keyring.env }
      })
      let [out, error] = ['', '']
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
      child.on('close', (code) => resolve({ code, out, error }))
    })
  const fileOf = async (text: string): Promise<string> => {
    const path = join(folder, `${randomUUID()}.txt`)
    await writeFile(path, text)
    return path
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veridesk-authority-'))
    keyring = await startKeyring()
    await cli('connection', 'add', '--practice')
    await cli('verify', 'get-applicant-details', '--applicant-id', '00042')
  })
  afterAll(async () => {
    await keyring.end()
    await rm(folder, { recursive: true, force: true })
  })

  test('reads a file with a byte order mark, CRLF, empty lines and IDs that are there twice', async () => {
    const ids = await fileOf('\ufeff00042\r\n\r\n00043\r\n00042\r\n')
    const found = await cli('applicant', 'status', '--ids', ids, '--json')
    expect(found).toMatchObject({ code: 0, error: '' })
    expect(JSON.parse(found.out)).toMatchObject([
      { id: '00042', status: { id: '00042', last: { operation: 'get-applicant-details' } } },
      { id: '00043', status: null }
    ])
    const words = await cli('applicant', 'status', '--ids', ids)
    expect(words.out).toMatch(/^00042 {2}no relationship recorded {2}first .* {2}last verification /)
    expect(words.out).toContain('\n00043  not found\n1 of 2 IDs found.')
  })

  test('says that there was a relationship with who was refused afterwards', async () => {
    for (const line of ['active,2020-01-10', 'ended,2024-06-30', 'refused,2026-01-20']) {
      const table = await fileOf(`applicant_id,relationship,on\n00042,${line}\n`)
      expect(await cli('applicant', 'import', table)).toMatchObject({ code: 0 })
    }
    const ids = await fileOf('00042\n')
    const words = await cli('applicant', 'status', '--ids', ids)
    expect(words.out).toMatch(/^00042 {2}refused 2026-01-20 {2}relationship 2020-01-10 to 2024-06-30 {2}first /)
    const found = await cli('applicant', 'status', '--ids', ids, '--json')
    expect(JSON.parse(found.out)).toMatchObject([
      { status: { relationship: { state: 'refused' }, periods: [{ from: '2020-01-10', until: '2024-06-30' }] } }
    ])
  })

  test('answers for a million lines, and packs no more than its limit', async () => {
    const ids = await fileOf(Array.from({ length: 1_000_000 }, (_, index) => String(index).padStart(5, '0')).join('\n'))
    const found = await cli('applicant', 'status', '--ids', ids)
    expect(found).toMatchObject({ code: 0, error: '' })
    expect(found.out.slice(-200)).toContain('\n1 of 1,000,000 IDs found.')
    const to = join(folder, 'too-many')
    const refused = await cli('export', 'authority', '--ids', ids, '--to', to, '--recipient', 'A', '--basis', 'B')
    expect(refused).toMatchObject({ code: exitCodes.usage.code })
    expect(refused.error).toContain(`At most ${maxAuthorityPersons.toLocaleString('en')} people`)
    expect(await readdir(folder)).not.toContain('too-many')
  }, 300_000)

  test('exports, and names lines that are no IDs', async () => {
    const to = join(folder, 'out')
    const words = ['export', 'authority', '--to', to, '--recipient', 'Authority', '--basis', 'Order 5'] as const
    const wrong = await cli(...words, '--ids', await fileOf(`00042\n${'x'.repeat(5000)}\n`))
    expect(wrong).toMatchObject({ code: exitCodes.failed.code })
    expect(wrong.error).toContain('These lines cannot be the ID of an applicant: 2.')
    expect(await cli('export', 'authority', '--to', to)).toMatchObject({ code: exitCodes.usage.code })
    const made = await cli(...words, '--ids', await fileOf('00042\n00043'), '--documents')
    expect(made).toMatchObject({ code: 0, error: '' })
    expect(made.out).toMatch(
      /^00042 {2}00001\.zip {2}1 record\n {2}0 documents, 0 B\n00043 {2}not found\n1 of 2 IDs packed\n/
    )
    expect((await readdir(to)).sort()).toEqual(['00001.zip', 'index.csv'])
    expect((await cli('evidence', 'verify', join(to, '00001.zip'))).out).toContain('INTACT, SIGNER UNKNOWN')
    expect(await cli(...words, '--ids', await fileOf('00042'))).toMatchObject({ code: exitCodes.failed.code })
  })
})
