/** Erases applicants, then searches the disk for them with every key that is left. */
import { createHash, hash, randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3-multiple-ciphers'
import { historyFolder } from '#wire/sqlite/files.ts'
import { partDigest, type Values } from '#kit/hashing/values.ts'
import { derivedKey, unseal } from '#kit/sealing/seal.ts'
import { startTestConsole, type TestConsole } from './console.ts'
import { besideKeyring, checkOf, masterKeyOf } from './console-workspace.ts'
import { ofDocument } from './document-check.ts'
import { card } from './document-files.ts'
import { contentsOf, digestsIn, digestsOf, hexKeyOf, opens, tracesIn, windowThat } from './traces.ts'

interface Person {
  readonly id: string
  /** Contained in every text about this person. */
  readonly word: string
  readonly link: string
}

/** The shortest of what was on disk about a person before the erasure: the best information that an attacker who guesses could have. */
interface Sealed {
  readonly key: Buffer
  readonly kind: string
  readonly sealed: Buffer
  /** The digest of its values, hex. */
  readonly digest: string
  readonly payload: string
}

const letters = 'bcdfghjklmnpqrstvwxz'
const newPerson = (): Person => {
  const word = [...randomBytes(14)].map((byte) => letters[byte % letters.length]).join('')
  return { id: `APP-${word}`, word, link: `https://files.example.com/${word}/passport.jpg` }
}

const field = ofDocument.fields.find(({ kind }) => kind === 'url')?.name ?? ''
/** A document of somebody alone: no two people's are equal. */
const documentOf = (word: string): Buffer => Buffer.concat([card, Buffer.from(` ${word}`.repeat(20))])
/** Keeps a copy of it for a record. */
async function copied(workspace: TestConsole, recordId: string, word: string): Promise<void> {
  workspace.open = workspace.fileAt(`${word}.jpg`)
  writeFileSync(workspace.open, documentOf(word))
  await workspace.get('documents.addFile', { recordId, field })
}
const copiesIn = (dataFolder: string): number =>
  readdirSync(join(dataFolder, 'documents'), { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
    .length

/** Stores every kind of data about a person once. */
async function live(workspace: TestConsole, connectionId: string, { id, word, link }: Person): Promise<void> {
  await checkOf(workspace, connectionId, id)
  await copied(workspace, await checkOf(workspace, connectionId, id, link), word)
  await workspace.get('applicants.note', { applicantId: id, text: `A note on ${word}` })
  await workspace.get('applicants.tag', { applicantId: id, tags: [`tag-${word}`] })
  await workspace.get('applicants.relate', { applicantId: id, state: 'active', on: '2026-01-31', note: `Of ${word}` })
  await workspace.get('applicants.rate', { applicantId: id, risk: 'high', note: `Class of ${word}` })
  await workspace.get('applicants.expiry', { applicantId: id, document: `Passport of ${word}`, expires: '2026-06-30' })
  const { evidence } = await workspace.get('applicants.show', { applicantId: id })
  await workspace.get('decisions.make', {
    applicantId: id,
    decision: 'decline',
    reasons: ['suspected-fraud'],
    note: `Declined: ${word}`,
    evidence
  })
  await workspace.get('holds.place', { applicantId: id, reason: `Case of ${word}` })
  await workspace.get('holds.lift', { applicantId: id, reason: `End of the case of ${word}` })
  await workspace.get('history.page', { filter: { search: word }, limit: 10 })
}

/** A batch whose rows contain all of them, with a column that is not a field. */
async function batchOf(workspace: TestConsole, connectionId: string, people: readonly Person[]): Promise<void> {
  const text = ['applicant_id,remark', ...people.map(({ id, word }) => `${id},remark on ${word}`)].join('\n')
  const checked = await workspace.get('batches.checkText', {
    name: 'rows.csv',
    text,
    reading: { operations: ['get-applicant-details'] }
  })
  const { id } = await workspace.get('batches.create', {
    checkId: checked.checkId,
    connectionId,
    name: 'Rows',
    atOnce: 2,
    pace: 0,
    skipDuplicates: false,
    skipRecent: false
  })
  await workspace.get('batches.start', { id })
  while ((await workspace.get('batches.show', { id })).state !== 'finished')
    await new Promise((resolve) => setTimeout(resolve, 20))
}

function openPlain(
  dataFolder: string,
  masterKey: string,
  name: 'history.db' | 'subjects.db'
): InstanceType<typeof Database> {
  const db = new Database(join(historyFolder(dataFolder), name), { readonly: true })
  db.pragma(`cipher='sqlcipher'`)
  db.pragma(`key="x'${hexKeyOf(masterKey, name)}'"`)
  return db
}

/** With the console closed: the sealed data of each person, all keys, and how many applicants have a date of a review, a document or a relationship. */
function inspect(
  dataFolder: string,
  masterKey: string,
  people: readonly Person[]
): { readonly sealed: readonly Sealed[]; readonly keys: readonly Buffer[]; readonly dates: number } {
  const [subjects, history] = [
    openPlain(dataFolder, masterKey, 'subjects.db'),
    openPlain(dataFolder, masterKey, 'history.db')
  ]
  try {
    const sealed = people.flatMap(({ id }) => {
      const subject = subjects.prepare('SELECT ref, key FROM subject WHERE applicant = ?').get(id) as
        | { ref: number; key: Buffer }
        | undefined
      if (!subject) return []
      const events = history
        .prepare(
          'SELECT kind, sealed, lower(hex(substr(digests, 49))) AS digest FROM event WHERE subject = ? AND sealed IS NOT NULL ORDER BY length(sealed), seq LIMIT 1'
        )
        .all(subject.ref) as Omit<Sealed, 'key' | 'payload'>[]
      return events.map((event) => ({
        ...event,
        key: subject.key,
        payload: unseal(subject.key, event.kind, event.sealed)?.payload ?? ''
      }))
    })
    return {
      sealed,
      keys: subjects.prepare('SELECT key FROM subject').pluck().all() as Buffer[],
      dates: history
        .prepare('SELECT count(*) FROM applicant WHERE coalesce(review_at, expires, relationship_on) IS NOT NULL')
        .pluck()
        .get() as number
    }
  } finally {
    subjects.close()
    history.close()
  }
}

/** Every guess is right: the attacker knows the ID, the operation and the connection. */
const guessesOf = ({ id, word, link }: Person, connectionId: string, payloads: readonly string[]): string[] => [
  id,
  id.toLowerCase(),
  id.toUpperCase(),
  word,
  link,
  JSON.stringify(id),
  JSON.stringify({ applicant_id: id }),
  JSON.stringify({ applicant_id: id, document_url: link }),
  JSON.stringify(['get-applicant-details', connectionId, [['applicant_id', id]]]),
  ...payloads
]

export interface ErasureReport {
  readonly people: number
  readonly files: number
  readonly bytes: number
  /**
   * People about whom the same search found something before the erasure: unless this is all of them, it proves
   * nothing.
   */
  readonly foundBefore: number
  readonly digestsBefore: number
  /** Copies of documents that were there before and not after. */
  readonly copiesDeleted: number
  readonly windows: number
  readonly digests: number
  readonly faults: readonly string[]
}

/** Creates data, backs it up, sets it aside and erases it; then searches everything that is left. */
export function eraseAndLook(count: number): Promise<ErasureReport> {
  return besideKeyring(async (keychain) => {
    const faults: string[] = []
    let workspace = await startTestConsole()
    const { dataFolder } = workspace
    const people = Array.from({ length: count }, newPerson)
    const { id: connectionId } = await workspace.get('practice.start')
    const others: { readonly recordId: string; readonly word: string }[] = []
    for (let n = 0; n < 20; n += 1) {
      const { word, link } = newPerson()
      const recordId = await checkOf(workspace, connectionId, `APP-${n}`, n < 3 ? link : undefined)
      if (n < 3) {
        others.push({ recordId, word })
        await copied(workspace, recordId, word)
      }
    }
    for (const person of people) await live(workspace, connectionId, person)
    await batchOf(workspace, connectionId, people)
    await workspace.get('recovery.create')
    const { id: backup } = await workspace.get('backups.create')
    // A restore sets the current history aside, with its keys in it.
    await workspace.get('backups.restore', { id: backup })
    await workspace.get('backups.create')
    const masterKey = await masterKeyOf(keychain, dataFolder)
    await workspace.close()

    const before = inspect(dataFolder, masterKey, people)
    const derived = ['digest', 'history.db', 'subjects.db', 'search.db'].map((purpose) =>
      derivedKey(Buffer.from(masterKey, 'hex'), purpose)
    )
    const masters = [Buffer.from(masterKey, 'hex'), Buffer.from(masterKey), ...derived]
    const contentsBefore = contentsOf(dataFolder, masterKey)
    const copiesBefore = copiesIn(dataFolder)
    const foundBefore = people.filter(({ id, word }) => tracesIn(contentsBefore, [id, word]).length > 0).length
    const targets = (person: Person, keys: readonly Buffer[]): Buffer[] =>
      digestsOf(
        guessesOf(
          person,
          connectionId,
          before.sealed.map(({ payload }) => payload).filter((payload) => payload.includes(person.word))
        ),
        keys
      )
    const digestsBefore = people.filter(
      (person) => digestsIn(contentsBefore, targets(person, masters)).length > 0
    ).length
    if (before.dates !== count) faults.push(`${before.dates} of ${count} people have dates before their erasure`)
    if (before.sealed.length !== count || foundBefore !== count || digestsBefore !== count)
      faults.push(
        `the search finds only ${foundBefore} and ${digestsBefore} of ${count} people before their erasure: it proves nothing`
      )

    workspace = await startTestConsole(workspace)
    for (const { id } of people) {
      const receipt = await workspace.get('erasure.run', {
        applicantId: id,
        confirmation: id,
        reason: 'asked for by letter'
      })
      if (receipt.copiesNotReached.length > 0)
        faults.push(`a copy was not reached: ${receipt.copiesNotReached.join(', ')}`)
    }
    for (const { recordId, word } of others) {
      const opened = await workspace.ask('documents.open', { recordId, field })
      if (!opened.ok || !Buffer.from(opened.value.base64, 'base64').equals(documentOf(word)))
        faults.push('the copy of somebody else is lost')
    }
    const copiesDeleted = copiesBefore - copiesIn(dataFolder)
    if (copiesDeleted !== count) faults.push(`${copiesDeleted} copies are deleted instead of ${count}`)
    const whileOpen = contentsOf(dataFolder, masterKey)
    const verdict = await workspace.get('audit.verify')
    if (!verdict.intact) faults.push(`the audit trail no longer verifies: ${verdict.code}`)
    const found = await workspace.get('history.counts', { filter: { search: 'APP-' } })
    if (found.total !== 20) faults.push(`a search finds ${found.total} records instead of the 20 of the others`)
    await workspace.close()

    const after = inspect(dataFolder, masterKey, people)
    if (after.dates > 0) faults.push(`${after.dates} people still have dates`)
    if (after.sealed.length > 0) faults.push(`${after.sealed.length} people still have a key`)
    const contents = [
      ...contentsOf(dataFolder, masterKey),
      ...whileOpen.map(({ path, bytes }) => ({ path: `${path}, while open`, bytes }))
    ]
    // Files that hold keys and small data, each content once; 32 bytes in a page of the evidence are not tested as a key.
    const likely = [
      ...new Map(
        contents
          .filter(
            ({ path, bytes }) =>
              /subjects\.db.*decrypted|history\.db-wal.*decrypted/.test(path) ||
              (!/\.db/.test(path) && bytes.length < 65_536)
          )
          .map((each) => [hash('sha256', each.bytes), each])
      ).values()
    ]
    let [windows, digests] = [0, 0]
    const known = [...masters, ...after.keys]
    for (const [n, person] of people.entries()) {
      for (const place of tracesIn(contents, [person.id, person.word]))
        faults.push(`a text of person ${n} stands in ${place}`)
      const document = createHash('sha256').update(documentOf(person.word)).digest()
      for (const place of tracesIn(contents, [document]))
        faults.push(`the digest of the document of person ${n} stands in ${place}`)
      const sealed = before.sealed[n]
      if (sealed) {
        for (const place of tracesIn(contents, [sealed.key])) faults.push(`the key of person ${n} stands in ${place}`)
        const asKey = windowThat(likely, 32, (window) => opens(window, sealed.kind, sealed.sealed))
        if (asKey.found !== undefined) faults.push(`32 bytes in ${asKey.found} open what was sealed of person ${n}`)
        const values = JSON.parse(sealed.payload) as Values
        const asSalt = windowThat(likely, 16, (window) => partDigest(window.toString('hex'), values) === sealed.digest)
        if (asSalt.found !== undefined)
          faults.push(`16 bytes in ${asSalt.found} are the salt of what was sealed of person ${n}`)
        windows += asKey.tried + asSalt.tried
      }
      const guessed = targets(person, known)
      digests += guessed.length
      for (const place of digestsIn(contents, guessed))
        faults.push(`a digest of a guess at person ${n} stands in ${place}`)
    }
    await workspace.practice.close()
    for (const each of [dataFolder, `${dataFolder}.files`]) rmSync(each, { recursive: true, force: true })
    return {
      people: count,
      files: contents.length,
      bytes: contents.reduce((sum, { bytes }) => sum + bytes.length, 0),
      foundBefore,
      digestsBefore,
      copiesDeleted,
      windows,
      digests,
      faults
    }
  })
}
