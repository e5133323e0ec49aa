/** Copies of documents: what they cost one verification, and a hundred thousand of them when a console opens and lists. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { historyFolder } from '#core/history/open.ts'
import { createVault, pathIn } from '#core/documents/vault.ts'
import { operationOf, operations } from '#contract/verification/operations.ts'
import { startPracticeService } from '#practice/service.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openEngine } from '#store/engine/opening.ts'
import { sealedBytes, type CopyKeys, type KeptSealed } from '#wire/history/copies.ts'
import { startTestConsole, type TestConsole } from '../../../tests/service/support/console.ts'
import { besideKeyring, masterKeyOf } from '../../../tests/service/support/console-workspace.ts'
import { card } from '../../../tests/service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../../../tests/service/support/document-server.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import { seedChecks } from '../../seed-data.ts'
import type { BenchRun } from '../bench-run.ts'
import { inTurn } from '../side-by-side.ts'

/** Milliseconds: of one verification beyond fetching and sending, of an opening more than without files, and of an answer. */
const aims = { own: 60, opening: 100, answer: 50 }
const megabyte = 1_000_000
const operation = operationOf('validate-applicant-documents')
const fields = operation.fields.filter(({ kind }) => kind === 'url').map(({ name }) => name)

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return performance.now() - from
}
/** A photo of this size: what follows the end of an image is kept as well. */
const photo = (bytes: number): Buffer => Buffer.concat([card, randomBytes(bytes)], bytes)

/** The address of a new document at each request, without new memory: collecting it would be counted. */
function addressOf(server: DocumentServer, document: Buffer): string {
  let nth = 0
  return server.at((response) => {
    document.writeUInt32BE((nth += 1), document.length - 4)
    response.end(document)
  })
}

async function practice(console: TestConsole, copies: 'off' | 'possible' | 'required'): Promise<string> {
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies })
  return id
}

/** Verifications with two new documents of 2 MB, in turn with the same fetches and request alone. */
async function oneVerification(console: TestConsole, server: DocumentServer, rounds: number): Promise<Row[]> {
  const connectionId = await practice(console, 'required')
  const { baseUrl } = console.practice
  const links = fields.map((name) => [name, addressOf(server, photo(2 * megabyte))] as const)
  const inputOf = (): Readonly<Record<string, string>> => ({
    applicant_id: `APP-${randomUUID()}`,
    ...Object.fromEntries(links)
  })
  const verified = async (): Promise<number> => {
    const input = inputOf()
    return timed(async () => {
      const order = { runId: randomUUID(), connectionId, operation: operation.id, input, repeatAnyway: true }
      const ending = await console.get('verification.run', order)
      if (ending.kind !== 'recorded' || !ending.record) throw new Error(ending.kind)
    })
  }
  const bare = async (): Promise<number> => {
    const input = inputOf()
    return timed(async () => {
      await Promise.all(fields.map(async (name) => (await fetch(input[name] ?? '')).arrayBuffer()))
      const headers = { 'content-type': 'application/json' }
      await (
        await fetch(new URL(operation.path, baseUrl), { method: 'POST', headers, body: JSON.stringify(input) })
      ).text()
    })
  }
  // Copies are compressed by nothing: both sides move the same bytes.
  const { ours, beside } = await inTurn(rounds, verified, bare)
  const own = ours.map((each, round) => Math.max(0, each - (beside[round] ?? 0)))
  return [
    rowOf({
      name: 'one verification with copies of two documents of 2 MB',
      unit: 'ms',
      samples: ours,
      beside: { what: 'the same fetches and request', samples: beside }
    }),
    rowOf({ name: 'its own time beyond those', unit: 'ms', samples: own, aims: { p95: aims.own } })
  ]
}

/** An operation with an applicant and one document. */
const ofOneDocument = operations.find(({ fields: all }) => all.map(({ kind }) => kind).join() === 'applicant-id,url')
/** Of a batch with copies beside it: its time to the one without, and megabytes of memory more than that takes. */
const batchAims = { ratio: 1.05, memory: 100 }

/** Batches of rows with a new document of 2 MB each and a service of 20 ms, in turn with copies beside them and without. */
async function besideBatch(server: DocumentServer, rows: number, rounds: number): Promise<Row[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-bench-copies-'))
  const service = await startPracticeService({ latency: 20 })
  const console = await startTestConsole({ dataFolder, practice: service })
  if (!ofOneDocument) throw new Error('no operation has one document')
  const { id: rowOperation, fields: columns } = ofOneDocument
  const link = addressOf(server, photo(2 * megabyte))
  const memory: Record<'off' | 'possible', number[]> = { off: [], possible: [] }
  const ended = (copies: 'off' | 'possible') => async (): Promise<number> => {
    const connectionId = await practice(console, copies)
    const lines = Array.from({ length: rows }, () => `APP-${randomUUID()},${link}`)
    const { checkId } = await console.get('batches.checkText', {
      name: 'rows.csv',
      text: [columns.map((column) => column.name).join(), ...lines].join('\n'),
      reading: { operations: [rowOperation] }
    })
    const order = { name: 'Rows', atOnce: 8, pace: 0, skipDuplicates: true, skipRecent: false, another: true }
    const { id } = await console.get('batches.create', { checkId, connectionId, ...order })
    const batches = await console.veridesk.batches()
    const [before, sampled]: [number, number[]] = [process.memoryUsage.rss(), []]
    const timer = setInterval(() => sampled.push(process.memoryUsage.rss()), 50)
    const took = await timed(async () => {
      await console.get('batches.start', { id })
      await batches.ended(id)
    })
    // The copies go on after it, and are not counted.
    await batches.copied()
    clearInterval(timer)
    memory[copies].push(Math.max(0, Math.max(...sampled) - before) / megabyte)
    const { counts } = await console.get('batches.show', { id })
    if (counts.answered !== rows) throw new Error('not every row was answered')
    rmSync(join(dataFolder, 'documents'), { recursive: true, force: true })
    return took
  }
  try {
    const { ours, beside } = await inTurn(rounds, ended('possible'), ended('off'))
    const name = `a batch of ${rows.toLocaleString('en')} rows, 20 ms service, copies of 2 MB beside it`
    const off = 'the batch with copies off'
    return [
      rowOf({
        name,
        unit: 'ms',
        samples: ours,
        beside: { what: off, samples: beside },
        aims: { ratio: batchAims.ratio }
      }),
      rowOf({
        name: 'memory that it takes, copies after its end included',
        unit: 'MB',
        samples: memory.possible.slice(1),
        beside: { what: off, samples: memory.off.slice(1) },
        aims: { difference: batchAims.memory }
      })
    ]
  } finally {
    await console.close()
    await service.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** How many of the documents are real files; the others are holes of the same size, which only a list looks at. */
const real = 400

interface Filled {
  readonly recordIds: readonly string[]
  readonly applicantIds: readonly string[]
}

/** Verifications with two copies each, for half as many applicants. */
async function fill(engine: Engine, dataFolder: string, documents: number): Promise<Filled> {
  const vault = createVault(dataFolder, { quota: () => Infinity, free: 0 })
  const [recordIds, applicantIds]: [string[], string[]] = [[], []]
  const kept = async (keys: CopyKeys, isReal: boolean): Promise<KeptSealed> => {
    const document = photo(card.length + 16)
    const sha256 = createHash('sha256').update(document).digest('hex')
    const sealed = { type: 'jpeg', bytes: document.length, sha256 } as const
    if (isReal) {
      const put = await vault.put(document, sha256, keys)
      if (!put.ok) throw new Error(put.failure.code)
      await vault.finish([put.value])
      return { ...sealed, name: put.value }
    }
    const name = randomBytes(32).toString('hex')
    const path = pathIn(dataFolder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    truncateSync(path, sealedBytes(document.length))
    return { ...sealed, name }
  }
  engine.bulk(true)
  let nth = 0
  for (const { intent, ending } of seedChecks(documents / fields.length, Date.now())) {
    const applicantId = `APP-${nth >> 1}`
    const isReal = nth * fields.length < real
    const keys = engine.copies.keys(applicantId)
    const files = await Promise.all(fields.map(async (field) => ({ field, ...(await kept(keys, isReal)) })))
    const input = {
      applicant_id: applicantId,
      ...Object.fromEntries(fields.map((name) => [name, 'https://files.example.com/a.jpg']))
    }
    const copies = { under: keys.under, kept: files, missed: [] }
    let recordId = ''
    const [done] = engine.commit([
      (writer) => {
        const begun = writer.begin({
          ...intent,
          operation: operation.id,
          path: operation.path,
          applicantId,
          input,
          copies
        })
        if (begun.ok) recordId = begun.value.id
        return begun.ok
          ? writer.finish(begun.value.id, { ...ending, endedAt: intent.startedAt + (ending.took ?? 0) })
          : begun
      }
    ])
    if (!done?.ok) throw new Error(done?.failure.code)
    if (isReal) {
      recordIds.push(recordId)
      applicantIds.push(applicantId)
    }
    nth += 1
  }
  engine.bulk(false)
  engine.indexer.drain()
  return { recordIds, applicantIds: [...new Set(applicantIds)] }
}

/** A new console in a folder, until its first page; then it is closed. */
async function openedIn(folder: Pick<TestConsole, 'dataFolder' | 'practice'>): Promise<number> {
  let console: TestConsole | undefined
  const took = await timed(async () => {
    console = await startTestConsole(folder)
    await console.get('history.page', { filter: {}, limit: 100 })
  })
  await console?.close()
  return took
}

async function manyFiles(console: TestConsole, masterKey: string, documents: number, rounds: number): Promise<Row[]> {
  const { dataFolder } = console
  const few = await startTestConsole()
  await few.close()
  await console.close()
  const opened = openEngine({ folder: historyFolder(dataFolder), masterKey, now: Date.now() })
  if (!opened.ok) throw new Error(opened.failure.code)
  const { recordIds, applicantIds } = await fill(opened.value.engine, dataFolder, documents)
  opened.value.engine.close()
  const sides = await inTurn(
    Math.min(10, rounds),
    () => openedIn(console),
    () => openedIn(few)
  )
  const again = await startTestConsole(console)
  const [open, listed]: [number[], number[]] = [[], []]
  for (const [nth, recordId] of recordIds.slice(0, rounds + 5).entries()) {
    const field = fields[nth % fields.length] ?? ''
    open.push(await timed(() => again.get('documents.open', { recordId, field })))
    const applicantId = applicantIds[nth % applicantIds.length] ?? ''
    listed.push(await timed(() => again.get('applicants.timeline', { applicantId, limit: 50 })))
  }
  await again.close()
  await few.dispose()
  const size = `${documents.toLocaleString('en')} copies`
  return [
    rowOf({
      name: `a console with ${size}: opened, first page answered`,
      unit: 'ms',
      samples: sides.ours,
      beside: { what: 'an empty console', samples: sides.beside },
      aims: { difference: aims.opening }
    }),
    rowOf({ name: `one of ${size} opened`, unit: 'ms', samples: open.slice(5), aims: { p95: aims.answer } }),
    rowOf({
      name: `the timeline of an applicant, with ${size}`,
      unit: 'ms',
      samples: listed.slice(5),
      aims: { p95: aims.answer }
    })
  ]
}

export const measureCopies = ({ sized, progress }: BenchRun): Promise<Measured> =>
  besideKeyring(async (keychain) => {
    const server = await serveDocuments()
    const console = await startTestConsole()
    try {
      const one = await oneVerification(console, server, sized(100, 10))
      progress('one verification')
      const batches = await besideBatch(server, sized(2000, 50), sized(3, 1))
      progress('batches')
      const masterKey = await masterKeyOf(keychain, console.dataFolder)
      const documents = sized(100_000, 1000)
      const many = await manyFiles(console, masterKey, documents, sized(100, 10))
      return {
        rows: [...one, ...batches, ...many],
        notes: [`All but ${real} of the ${documents.toLocaleString('en')} files are holes of the same size.`]
      }
    } finally {
      await server.close()
      await console.practice.close()
      for (const each of [console.dataFolder, `${console.dataFolder}.files`])
        rmSync(each, { recursive: true, force: true })
    }
  })
