/** Many applicants with copies of documents, some of whom are erased by a process that is killed; then everything on disk is searched. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3-multiple-ciphers'
import { copyParts, createVault, faultOf } from '#core/documents/vault.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { answer, intentOf } from '../history-fixtures.ts'
import { card } from './document-files.ts'
import { openWorkspace, store, value, type Workspace } from './erasure-workspace.ts'
import { seeded } from './random.ts'
import { contentsIn, digestsIn, hexKeyOf, tracesIn } from './traces.ts'

/** In every text and image of those who are erased, and of nobody else. */
export const canary = `vanish${randomBytes(6).toString('hex')}`
const other = `remain${randomBytes(6).toString('hex')}`
const documentOf = (id: string): Buffer => Buffer.concat([card, Buffer.from(` ${id}`.repeat(20))])
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

export interface Crowd {
  readonly dataFolder: string
  readonly masterKey: string
  /** Those who are erased, in groups that are erased in one step or one after another. */
  readonly groups: readonly (readonly string[])[]
  readonly others: readonly string[]
  /** Keys of those who are erased, and the SHA-256 of their documents. */
  readonly secrets: readonly Buffer[]
}

/** Records a verification of somebody with a copy of their own document. */
async function seed(one: Workspace, vault: ReturnType<typeof createVault>, id: string): Promise<void> {
  const document = documentOf(id)
  const digest = sha256(document).toString('hex')
  const keys = await value(store(one).documents.keys(id))
  const name = await value(vault.put(document, digest, keys))
  const intent = intentOf({ applicant: id, url: `https://files.example.com/${id}/passport.jpg` })
  const copy = { field: 'document_url', name, type: 'jpeg', bytes: document.length, sha256: digest } as const
  const copies = { under: keys.under, kept: [copy], missed: [] }
  const begun = await value(store(one).begin({ ...intent, copies }))
  // A message of their own for some: it goes with its only receiver.
  await store(one).finish(begun.id, answer(id.endsWith('7') ? `Accepted: ${id}` : 'Accepted'))
  await vault.finish([name])
}

const open = (path: string, masterKey: string): InstanceType<typeof Database> => {
  const db = new Database(path, { readonly: true })
  db.pragma(`cipher='sqlcipher'`)
  db.pragma(`key="x'${hexKeyOf(masterKey, 'subjects.db')}'"`)
  return db
}
/** Applicants of a file of keys that is not open, with their keys. */
function keysIn(path: string, masterKey: string): ReadonlyMap<string, Buffer> {
  const db = open(path, masterKey)
  const rows = db.prepare('SELECT applicant, key FROM subject WHERE applicant IS NOT NULL').all()
  db.close()
  return new Map((rows as { applicant: string; key: Buffer }[]).map(({ applicant, key }) => [applicant, key]))
}
const keyFiles = (dataFolder: string): string[] =>
  readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })
    .filter((each) => each.endsWith('subjects.db'))
    .map((each) => join(dataFolder, each))

/** Where a text with the canary, or one of the secrets, is on disk, as it is or in a database. */
export function tracesOf({ dataFolder, masterKey, secrets }: Crowd): string[] {
  const found = new Set<string>()
  for (const content of contentsIn(dataFolder, masterKey))
    for (const path of [...tracesIn([content], [canary]), ...digestsIn([content], secrets)]) found.add(path)
  return [...found]
}

/** Makes everybody, two backups, and a history that was set aside. Throws if a search would not find those who are to be erased. */
export async function crowdOf(
  dataFolder: string,
  size: { groups: number; each: number; others: number }
): Promise<Crowd> {
  const groups = Array.from({ length: size.groups }, (_, group) =>
    Array.from({ length: size.each }, (_, n) => `APP-${canary}-${group}-${n}`)
  )
  const others = Array.from({ length: size.others }, (_, n) => `APP-${other}-${n}`)
  const one = await openWorkspace(dataFolder)
  const vault = createVault(dataFolder, { quota: () => Infinity, free: 0 })
  // In no order that the erasures have.
  const pick = seeded(17)
  const everybody = [...groups.flat(), ...others].map((id) => [pick(1e9), id] as const).sort(([a], [b]) => a - b)
  for (let at = 0; at < everybody.length; at += 64)
    await Promise.all(everybody.slice(at, at + 64).map(([, id]) => seed(one, vault, id)))
  const { id } = await value(one.backups.make())
  await value(one.backups.restore(id))
  await value(one.backups.make())
  await one.current.close()
  const masterKey = one.secrets.entries.get(masterKeyAccount) ?? ''
  const files = keyFiles(dataFolder)
  const keys = keysIn(join(dataFolder, 'history', 'subjects.db'), masterKey)
  const gone = groups.flat()
  const crowd: Crowd = {
    ...{ dataFolder, masterKey, groups, others },
    secrets: gone.flatMap((id) => [keys.get(id) ?? Buffer.alloc(0), sha256(documentOf(id))])
  }
  const before = tracesOf(crowd)
  const unfound = files.filter((file) => !before.includes(`${file.slice(dataFolder.length)}, decrypted`))
  if (files.length !== 4 || unfound.length > 0 || crowd.secrets.some(({ length }) => length !== 32))
    throw new Error(`the search does not find people in ${unfound.join(', ')}: it would prove nothing`)
  return crowd
}

const victim = fileURLToPath(new URL('./many-erased-victim.ts', import.meta.url))

/**
 * Goes on in a process of its own: finishes what an earlier one began, then erases these groups.
 *
 * @param after Milliseconds after it began, at which it is killed; at its end if absent.
 * @returns Whether it had ended before, and after how many milliseconds.
 */
export function eraseIn(
  { dataFolder, masterKey }: Crowd,
  groups: readonly (readonly string[])[],
  after?: number
): Promise<{ readonly ended: boolean; readonly took: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [victim, dataFolder, masterKey], { stdio: ['pipe', 'pipe', 'pipe'] })
    let [text, errors, began] = ['', '', 0]
    let timer: NodeJS.Timeout | undefined
    let result: { readonly ended: boolean; readonly took: number } | undefined
    // Without a word: what it had in its logs stays on disk.
    const kill = (ended: boolean): void => {
      result ??= { ended, took: performance.now() - began }
      child.kill('SIGKILL')
    }
    child.stdin.end(JSON.stringify(groups))
    child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
    child.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
      if (began === 0 && text.includes('begin\n')) {
        began = performance.now()
        if (after !== undefined) timer = setTimeout(() => kill(false), after)
      }
      if (text.includes('end\n')) kill(true)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (signal === 'SIGKILL' && result) resolve(result)
      else reject(new Error(`ended with ${code ?? signal}: ${errors}`))
    })
  })
}

/** What is wrong with the others: their records, copies, and keys in every copy of the history. */
export async function lossesOf({ dataFolder, masterKey, others, groups }: Crowd): Promise<string[]> {
  const losses: string[] = []
  const one = await openWorkspace(dataFolder, new Map([[masterKeyAccount, masterKey]]))
  await one.retention.resume()
  for (let at = 0; at < others.length; at += 64)
    await Promise.all(
      others.slice(at, at + 64).map(async (applicantId) => {
        const shown = await store(one).applicants.timeline({ applicantId, limit: 5 })
        const [first] = shown.ok ? shown.value.entries : []
        const url = first?.kind === 'check' ? Object.values(first.record.input).find((each) => each.includes('/')) : ''
        if (!url?.includes(applicantId)) losses.push(`the record of ${applicantId}`)
      })
    )
  let copies = 0
  for (const part of copyParts) {
    const { names } = await value(store(one).documents.namesIn(part))
    for (const file of await value(store(one).documents.filesOf(names))) {
      copies += 1
      if (await faultOf(dataFolder, file)) losses.push(`the copy ${file.name}`)
    }
  }
  if (copies !== others.length) losses.push(`${others.length - copies} copies`)
  const files = readdirSync(join(dataFolder, 'documents'), { recursive: true, withFileTypes: true })
  const left = files.filter((each) => each.isFile()).length - others.length
  if (left !== 0) losses.push(`${left} files of those who are erased are left`)
  for (const applicantId of groups.flat())
    if ((await store(one).applicants.show(applicantId)).ok) losses.push(`${applicantId} is still there`)
  const receipts = await value(one.retention.receipts())
  if (receipts.some(({ copiesPending, copiesNotReached }) => copiesPending || copiesNotReached.length > 0))
    losses.push('an erasure is not finished')
  if (!(await value(store(one).verifyChain())).intact) losses.push('the audit trail')
  await one.current.close()
  for (const path of keyFiles(dataFolder)) {
    const keys = keysIn(path, masterKey)
    for (const id of others) if (!keys.has(id)) losses.push(`the key of ${id} in ${path}`)
  }
  return losses
}
