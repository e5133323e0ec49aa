/** Packs with the copies of documents: one ZIP file, which both verifiers open, and in which nothing can be exchanged. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { storedArchive, storedEntries, readStored, type StoredPart, type StoredSource } from '#kit/archive/stored.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { verifierProgram } from '../../scripts/verifier.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { inVerifierPage } from './support/verifier-page.ts'

let console: TestConsole
let server: DocumentServer
let connectionId: string
let verifier: string

beforeAll(async () => void (server = await serveDocuments()))
afterAll(() => server.close())
beforeEach(async () => {
  console = await startTestConsole(undefined, 'tester', { printPdf: async (html) => Buffer.from(`%PDF ${html}`) })
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  connectionId = id
  verifier = console.fileAt('verify.mjs')
  await writeFile(verifier, verifierProgram())
})
afterEach(() => console.dispose())

async function asked(document: Buffer, applicantId = 'APP-1'): Promise<string> {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-applicant-id-document',
    input: { applicant_id: applicantId, document_url: server.at(document) },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const person: EvidenceAbout = { kind: 'applicant', id: 'APP-1' }
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const order = (about: EvidenceAbout = person, pdf = false) => ({
  about,
  profile: 'full' as const,
  pdf,
  documents: true
})

/** Makes a ZIP file and returns its path with what the console answered. */
async function made(about?: EvidenceAbout, pdf?: boolean) {
  console.save = console.fileAt(`${randomUUID()}.zip`)
  const answer = await console.get('evidence.create', order(about, pdf))
  if (!answer) throw new Error('cancelled')
  return answer
}
const sourceOf = (file: Buffer): StoredSource => ({
  bytes: file.length,
  read: async (offset, length) => file.subarray(offset, offset + length)
})
async function partsAt(path: string): Promise<StoredPart[]> {
  const source = sourceOf(await readFile(path))
  const parts: StoredPart[] = []
  for (const entry of (await storedEntries(source)) ?? [])
    parts.push({ name: entry.name, bytes: (await readStored(source, entry)) ?? Buffer.from('damaged') })
  return parts
}
async function writeParts(path: string, parts: readonly StoredPart[]): Promise<void> {
  const pieces: Uint8Array[] = []
  for await (const piece of storedArchive(parts)) pieces.push(piece)
  await writeFile(path, Buffer.concat(pieces))
}
const packIn = (parts: readonly StoredPart[]) => {
  const { pack, intact } = checkPack(
    Buffer.from(parts.find(({ name }) => name === 'pack.json')?.bytes ?? []).toString()
  )
  expect(intact).toBe(true)
  return pack!.content
}
/** Digests of the copies that the events of a pack name. */
const keptIn = (parts: readonly StoredPart[]): unknown[] =>
  packIn(parts).events.flatMap((event) =>
    event.kind === 'document.kept' && event.sealed && 'shown' in event.sealed
      ? [event.sealed.shown.find(([, name]) => name === 'sha256')?.[2]]
      : []
  )
/** What the saved verifier, the console and the command line say of a file. */
async function said(path: string) {
  const run = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
  console.open = path
  const verdict = await console.get('evidence.check')
  const line = await verifyEvidence([path], {})
  return {
    node: { code: run.status, text: run.stdout + run.stderr },
    console: {
      verified: verdict?.verified,
      codes: verdict?.findings.flatMap((each) => ('code' in each ? [each.code] : []))
    },
    line: { code: exitCodes[line.exit].code, text: line.out ?? '' }
  }
}
async function sealedFiles(): Promise<string[]> {
  const found = await readdir(join(console.dataFolder, 'documents'), { recursive: true, withFileTypes: true })
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

describe('a pack with documents', () => {
  it('has each document once, as its event says, and three verifiers open it', async () => {
    await asked(card)
    await asked(card)
    await asked(face)
    expect(await console.get('evidence.documents', person)).toEqual({
      copies: 2,
      bytes: card.length + face.length
    })
    const { path, documents, sha256: whole, pdfPath } = await made(person, true)
    expect(documents).toEqual({ files: 2, bytes: card.length + face.length, absent: [] })
    expect(pdfPath).toBeUndefined()
    expect(sha256(await readFile(path))).toBe(whole)
    const parts = await partsAt(path)
    expect(parts.map(({ name }) => name)).toEqual([
      'pack.json',
      'pack.pdf',
      expect.stringMatching(/^documents\/record-1-document_url-\d+\.jpeg$/),
      expect.stringMatching(/^documents\/record-3-document_url-\d+\.\w+$/)
    ])
    expect(keptIn(parts)).toEqual([sha256(card), sha256(card), sha256(face)])
    expect(parts.slice(2).map(({ bytes }) => sha256(bytes))).toEqual([sha256(card), sha256(face)])
    const found = await said(path)
    expect(found.node.code, found.node.text).toBe(3)
    expect(found.node.text.match(/is the file in the ZIP file/g)).toHaveLength(3)
    expect(found.console).toMatchObject({ verified: true })
    expect(found.console.codes?.filter((code) => code === 'attachment-right')).toHaveLength(3)
    expect(found.line).toMatchObject({ code: exitCodes.signerUnknown.code })
    expect(found.line.text).toContain('belongs to the pack')
    const events = (await console.get('audit.page', { limit: 20 })).events
    expect(events.find(({ kind }) => kind === 'export.made')).toBeDefined()
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('opens in the page for verifiers, which refuses one with an exchanged document', async () => {
    await asked(card)
    const { path } = await made()
    const exchanged = console.fileAt('exchanged.zip')
    const [pack, document] = await partsAt(path)
    await writeParts(exchanged, [pack!, { ...document!, bytes: face }])
    await inVerifierPage(async (tab, { faults }) => {
      await tab.setInputFiles('#file', path)
      await tab.locator('#verdict', { hasText: 'INTACT, SIGNER UNKNOWN.' }).waitFor({ timeout: 10_000 })
      expect(await tab.locator('#details').textContent()).toContain('is the file in the ZIP file')
      await tab.setInputFiles('#file', exchanged)
      await tab.locator('#verdict', { hasText: 'NOT BELONGING TO IT' }).waitFor({ timeout: 10_000 })
      expect(faults).toEqual([])
    })
  })

  it('of a record has its own copies alone', async () => {
    const record = await asked(card)
    await asked(face)
    const { path, documents } = await made({ kind: 'record', id: record })
    expect(documents).toMatchObject({ files: 1, absent: [] })
    const parts = await partsAt(path)
    expect(keptIn(parts)).toEqual([sha256(card)])
    // The second verifier, which knows packs and no ZIP file.
    const alone = console.fileAt('pack.json')
    await writeFile(alone, parts[0]!.bytes)
    const second = join(import.meta.dirname, '..', 'second-verifier', 'verify.py')
    const run = spawnSync('python3', [second, alone], { encoding: 'utf8' })
    expect(run.status, run.stdout + run.stderr).toBe(3)
    expect(await said(path)).toMatchObject({ node: { code: 3 }, console: { verified: true } })
    expect(await console.get('evidence.documents', { kind: 'record', id: record })).toEqual({
      copies: 1,
      bytes: card.length
    })
  })

  it('is only made of a full pack about a person or a record', async () => {
    await asked(card)
    for (const wrong of [
      { ...order(), profile: 'no-personal-data' as const },
      { ...order({ kind: 'batch', id: randomUUID() }) }
    ])
      expect(await console.ask('evidence.create', wrong)).toMatchObject({ ok: false })
  })

  it('names a copy that is missing or damaged, and is made without it', async () => {
    await asked(card)
    await asked(face)
    const [one = '', other = ''] = await sealedFiles()
    await unlink(one)
    const bytes = await readFile(other)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(other, bytes)
    const { path, documents } = await made()
    expect(documents?.files).toBe(0)
    expect(documents?.absent.map(({ reason }) => reason).sort()).toEqual(['damaged', 'missing'])
    const found = await said(path)
    expect(found.node.code).toBe(3)
    expect(found.node.text.match(/is not in the ZIP file/g)).toHaveLength(2)
    expect(found.console).toMatchObject({ verified: true })
    expect(found.console.codes?.filter((code) => code === 'document-left-out')).toHaveLength(2)
    expect(found.line.text.match(/WARNING {2}attachments/g)).toHaveLength(2)
  })

  it('is not made of a person who was erased', async () => {
    await asked(card)
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
    console.save = console.fileAt('erased.zip')
    expect(await console.ask('evidence.create', order())).toMatchObject({ failure: { code: 'evidence-nothing' } })
    expect(await console.get('evidence.documents', person)).toEqual({ copies: 0, bytes: 0 })
  })
})

describe('a changed ZIP file', () => {
  it('says which document differs, is missing or does not belong', async () => {
    await asked(card)
    await asked(face)
    const { path } = await made(person, true)
    const parts = await partsAt(path)
    const last = parts.at(-1)!

    await writeParts(path, [...parts.slice(0, -1), { name: last.name, bytes: Buffer.from('another') }])
    let found = await said(path)
    expect(found.node.code).toBe(1)
    expect(found.node.text).toContain(`NOT BELONGING TO IT: ${last.name}`)
    expect(found.node.text).toMatch(new RegExp(`${last.name}, .*DIFFERS in the ZIP file`))
    expect(found.console).toMatchObject({ verified: false })
    expect(found.console.codes).toContain('attachment-wrong')
    expect(found.line.code).toBe(exitCodes.refused.code)

    await writeParts(path, parts.slice(0, -1))
    found = await said(path)
    expect(found.node.code).toBe(3)
    expect(found.node.text).toMatch(new RegExp(`${last.name}, .*is MISSING from the ZIP file`))
    expect(found.console).toMatchObject({ verified: true })
    expect(found.console.codes).toContain('attachment-missing')
    expect(found.line.code).toBe(exitCodes.signerUnknown.code)

    await writeParts(path, [...parts, { name: 'documents/more.pdf', bytes: Buffer.from('%PDF') }])
    found = await said(path)
    expect([found.node.code, found.line.code]).toEqual([1, exitCodes.refused.code])
    expect(found.console.codes).toContain('attachment-unknown')

    // The pack alone: its files are named, and not looked for.
    const alone = console.fileAt('alone.veridesk-evidence')
    await writeFile(alone, parts[0]!.bytes)
    found = await said(alone)
    expect(found.node.text.match(/not compared/g)).toHaveLength(4)
    expect(found.line.text).toContain('was not compared')
  })

  it('is refused with one bit changed, something behind it, or without a pack', async () => {
    await asked(card)
    const { path } = await made()
    const file = await readFile(path)
    const directory = file.lastIndexOf('PK\x01\x02', undefined, 'latin1')
    for (const at of [8, 10, 26, directory + 8, directory + 30, file.length - 1]) {
      const other = Buffer.from(file)
      other[at] = (other[at] ?? 0) ^ 1
      await writeFile(path, other)
      const found = await said(path)
      expect([found.node.code, found.line.code], String(at)).toEqual([1, exitCodes.refused.code])
      expect(found.console).toMatchObject({ verified: false })
    }
    await writeFile(path, Buffer.concat([file, Buffer.from('x')]))
    expect(await said(path)).toMatchObject({ node: { code: 1 }, console: { codes: ['archive-wrong'] } })
    await writeParts(path, [{ name: 'else.json', bytes: Buffer.from('{}') }])
    expect(await said(path)).toMatchObject({ node: { code: 1 }, console: { codes: ['archive-wrong'] } })
  })

  it('by another program, with compression, is refused', async () => {
    await asked(card)
    const { path } = await made()
    const script =
      'import sys,zipfile;a=zipfile.ZipFile(sys.argv[1]);p=[(i.filename,a.read(i)) for i in a.infolist()];b=zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED);[b.writestr(n,d) for n,d in p];b.close()'
    execFileSync('python3', ['-c', script, path])
    expect(await said(path)).toMatchObject({ node: { code: 1 }, console: { codes: ['archive-wrong'] } })
    await rm(path)
  })
})
