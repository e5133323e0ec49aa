/**
 * Writes docs/evidence/vectors: packs for testing verifiers, with what a verifier must say of each. They are built from
 * the description of the format by tests/service/evidence-2-builder.ts, and the same in every run.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canonical, countersigned, envelopeOf, fileText, fingerprintOf, keyNamed, publicOf } from '../tests/service/evidence-2-builder.ts'
import { acceptedLies, claims } from '../tests/service/evidence-2-claims.ts'
import { forgeries2 } from '../tests/service/evidence-2-forgeries.ts'
import { attachment, colleague, director, genuinePacks, lackingPacks, signer, type GenuineName } from '../tests/service/evidence-2-genuine.ts'

/** What is given to a verifier beside the pack: fingerprints, a number, and files beside the index. */
export interface VectorOptions {
  readonly fingerprint?: string
  readonly countersigners?: readonly string[]
  readonly countersignatures?: number
  readonly trusted?: readonly string[]
  readonly revocations?: readonly string[]
  readonly attachments?: readonly string[]
  readonly compare?: readonly string[]
}
export interface Vector {
  readonly file: string
  readonly options: VectorOptions
  readonly verdict: 'verified' | 'intact' | 'countersignatures-missing' | 'refused'
  readonly because: string
}
interface Vectors {
  readonly index: readonly Vector[]
  /** By name, the packs included. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

const [own, first, second] = [signer, colleague, director].map((key) => fingerprintOf(publicOf(key))) as [string, string, string]
const fileName = (words: string): string => `${words.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 80)}.json`
const fixtureText = (name: string): string => readFileSync(fileURLToPath(new URL(`../tests/fixtures/evidence-1/packs/${name}.json`, import.meta.url)), 'utf8')
const sentence = (why: RegExp): string => `${why.source.replace(/^\^/, '').replace(/\\[dS]\+?/g, '…').replace(/\\/g, '')}.`

function revocationOf(since: number, by = signer): string {
  const payload = { at: since + 1000, key: own, note: '', reason: 'lost', revokedBy: publicOf(by), since }
  return `${canonical(envelopeOf('application/vnd.veridesk.revocation+json', canonical(payload), by))}\n`
}

/** Larger packs show nothing more; the tests have them all. */
const largest = 14_000

/** One forgery for each reason, the smallest. Those that are new in every run are left out. */
function forged(): { readonly name: string; readonly text: string; readonly why: RegExp }[] {
  const byReason = new Map<string, { readonly name: string; readonly text: string; readonly why: RegExp }>()
  for (const each of forgeries2().filter(({ name, text }) => !name.includes('cofactor') && text.length <= largest)) {
    const held = byReason.get(each.why.source)
    if (!held || each.text.length < held.text.length) byReason.set(each.why.source, each)
  }
  return [...byReason.values()]
}

function spellings1(): { readonly name: string; readonly text: string; readonly because: string }[] {
  const text = fixtureText('record')
  const changed = (name: string, from: string | RegExp, to: string, because: string) => ({ name: `version 1 ${name}`, text: text.replace(from, to), because })
  const spelled = 'It is not in canonical form.'
  return [
    changed('changed response', 'One answer', 'Two answers', 'The signature does not match the content.'),
    changed('another record', /"records":1/, '"records":2', 'The signature does not match the content.'),
    changed('key twice', '"version":1', '"version":1,"version":1', spelled),
    changed('another spelling of a number', '"version":1', '"version":1e0', spelled),
    changed('no line feed', /\n$/, '', spelled),
    { name: 'version 1 countersignature changed', text: fixtureText('applicant-countersigned').replace('Seen and agreed', 'Seen and refused'), because: 'The countersignature does not match.' }
  ]
}

/** All vectors. */
export function evidenceVectors(): Vectors {
  const index: Vector[] = []
  const files: Record<string, string | Uint8Array> = {}
  const add = (name: string, content: string | Uint8Array, verdict: Vector['verdict'], because: string, options: VectorOptions = {}): void => {
    const file = fileName(name)
    if (files[file] !== undefined && files[file] !== content) throw new Error(`two vectors are named ${file}`)
    files[file] = content
    index.push({ file, options, verdict, because })
  }
  const beside = (name: string, content: string | Uint8Array): string => {
    files[name] = content
    return name
  }
  const pack = (name: GenuineName): string => fileText(genuinePacks[name].file)
  const unknown = 'Nothing is wrong with it, but the key of its signer is not compared.'
  for (const [name, { file }] of Object.entries(genuinePacks)) add(name, fileText(file), 'intact', unknown)
  for (const [name, { file }] of Object.entries(lackingPacks)) add(name, fileText(file), 'countersignatures-missing', 'Too few second persons agree.')
  add('record', pack('record'), 'verified', 'Its key is the one named.', { fingerprint: own })
  add('record', pack('record'), 'refused', 'It was signed by another key.', { fingerprint: first })
  add('countersigned-twice', pack('countersigned-twice'), 'verified', 'The keys of its signer and of enough countersigners are those named.', { fingerprint: own, countersigners: [first, second] })
  add('countersigned-twice', pack('countersigned-twice'), 'intact', 'The keys of its countersigners are not compared.', { fingerprint: own })
  add('countersigned-twice', pack('countersigned-twice'), 'countersignatures-missing', 'Only one of the keys of its countersigners is named.', { fingerprint: own, countersigners: [first] })
  add('countersigned', pack('countersigned'), 'refused', 'A key that the reader named did not countersign.', { countersigners: [second] })
  add('countersigned by anyone', fileText(countersigned(genuinePacks['record'].file, keyNamed('anyone'), { by: 'Head of Compliance' })), 'verified', 'Anyone can add a countersignature; this pack requires none.', { fingerprint: own })
  add('attachment', pack('attachment'), 'intact', 'The file belongs to it.', { attachments: [beside('record.pdf', attachment)] })
  add('attachment', pack('attachment'), 'refused', 'The file does not belong to it.', { attachments: [beside('another.pdf', Buffer.from('another'))] })
  add('applicant', pack('applicant'), 'intact', 'The other pack continues it.', { compare: ['next.json'] })
  add('applicant', pack('applicant'), 'intact', 'Whether the other pack continues it cannot be determined.', { compare: ['after-next.json'] })
  const decline = acceptedLies().find(({ name }) => name.startsWith('a decision turned into its opposite'))
  if (decline) add('applicant', pack('applicant'), 'refused', 'The audit trail was forked.', { compare: [beside(fileName(`claim: ${decline.name}`), decline.text)] })
  const [before, after] = [1_750_000_000_000, 1_790_000_000_000]
  add('record', pack('record'), 'refused', 'Its key was revoked, and no time-stamp shows that it existed before.', { revocations: [beside('revocation-by-itself.json', revocationOf(before))] })
  add('record', pack('record'), 'refused', 'A pack without a time-stamp can be as new as its signer likes.', { revocations: [beside('revocation-later.json', revocationOf(after))] })
  add('record', pack('record'), 'intact', 'The revocation is signed by a key that the reader does not trust.', { revocations: [beside('revocation-by-another.json', revocationOf(before, director))] })
  add('record', pack('record'), 'refused', 'The revocation is signed by a key that the reader trusts.', { revocations: ['revocation-by-another.json'], trusted: [second] })
  for (const { name, text, why } of forged()) add(`forged: ${name}`, text, 'refused', sentence(why))
  for (const { name, text, claim } of acceptedLies().filter(({ name, text }) => !name.includes('small order') && text.length <= largest)) add(`claim: ${name}`, text, 'intact', `The signer’s claim: ${claims[claim]}.`)
  for (const name of ['record', 'applicant', 'applicant-no-personal-data', 'applicant-countersigned', 'batch-half-erased', 'record-erased-full']) add(`version 1 ${name}`, fixtureText(name), 'intact', unknown)
  for (const { name, text, because } of spellings1()) add(name, text, 'refused', because)
  return { index, files }
}

const folder = new URL('../docs/evidence/vectors/', import.meta.url)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { index, files } = evidenceVectors()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, folder), content)
  writeFileSync(new URL('vectors.json', folder), `${JSON.stringify(index, null, 2)}\n`)
}
