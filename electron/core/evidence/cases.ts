/**
 * Four-eyes cases: a pack exported by one person is read and countersigned by another, on their own machine with
 * their own key and under a name other than the creator's and the decision's author's, and then imported. Newer
 * evidence, or any changed byte, voids it.
 */
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import {
  readFingerprint,
  type CaseDocument,
  type CountersignedCase,
  type CountersignOrder,
  type EvidenceAbout,
  type OpenedCase
} from '#contract/evidence/evidence.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { NoteDraft } from '#core/audit/audit-trail.ts'
import { checkPack, type CheckedPack } from './pack/check.ts'
import { heldCountersignatures, shownCountersignature } from './countersigners.ts'
import { approvalEnding, choosePack, saveText, withoutEnding, verdictOf, type EvidenceParts } from './evidence.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { signingKey } from './signing-key.ts'
import { validSigningKey } from './own-keys.ts'
import { countersigned } from './pack/countersignatures.ts'
import type { OpenedPack } from './pack/pack.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'
import type { PackView } from './pack/view.ts'
import type { SignedCase } from '#wire/history/evidence.ts'
import type { HistoryStore } from '#wire/history/store.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface Cases {
  open(): Answer<OpenedCase | null>
  countersign(order: CountersignOrder): Answer<{ readonly path: string } | null>
  /**
   * Imports each countersignature of a pack that is not known yet, if the pack was created here and still matches the
   * history. A disagreement before a later agreement is imported as well. Returns the last one.
   */
  import(): Answer<CountersignedCase | null>
  list(about?: EvidenceAbout): Answer<readonly CountersignedCase[]>
}

/** Maximum number of opened cases; each is a pack in memory. */
const maxOpen = 8

/** Why this installation cannot countersign a pack: because of its key, or of its user's name. */
function refusalOf(view: PackView, key: string, operator: string): Failure | undefined {
  if (key === view.key) return failure('case-own-key')
  const person = secondPerson(operator, view.names)
  if (person === 'yes') return undefined
  return person === 'no' ? failure('case-own-name', { name: operator }) : failure('case-names-withheld')
}

/**
 * Identifies a countersignature: the same key, statement and pack are the same one, however often the file is
 * imported.
 */
const identity = ({ pack, countersignature: { key, at, agrees, by, note } }: SignedCase): string =>
  JSON.stringify([pack, key, at, agrees, by, note])

const documentsOf = ({ events }: PackView): CaseDocument[] =>
  events.map(({ seq, at, kind, record, entries, response }) => ({ seq, at, kind, record, fields: entries, response }))

/** Whom a case concerns, if this history knows them too: their timeline then shows what was signed here. */
function concerning({ about: { kind, id } }: PackView): Pick<NoteDraft, 'about'> {
  if (id === null || kind === 'batch') return {}
  return { about: kind === 'applicant' ? { applicantId: id } : { recordId: id } }
}

const namesIn = (names: readonly string[]): string =>
  [...new Set(names)].map((name) => (name.trim() === '' ? '“”' : name)).join(', ')

interface Ours {
  readonly view: PackView
  readonly about: EvidenceAbout
}

/** A pack that was made with this key and countersigned by somebody; or why it is none. */
async function oursIn({ view, findings }: CheckedPack, keychain: EvidenceParts['keychain']): Answer<Ours> {
  if (!view) return failed('evidence-refused', { reason: findings.at(-1)?.what ?? 'format' })
  const own = await signingKey(keychain)
  if (!own.ok) return own
  if (view.key !== keyOfSigner(own.value)) return failed('case-not-ours', { reason: 'other-key' })
  if (view.countersignatures.length === 0) return failed('evidence-refused', { reason: 'not-countersigned' })
  return view.about.id === null
    ? failed('case-not-ours', { reason: 'no-subject' })
    : ok({ view, about: view.about as EvidenceAbout })
}

/** Countersignatures that the history does not have yet, by second persons. */
async function newSeconds(
  evidence: HistoryStore['evidence'],
  { view, about }: Ours,
  operator: string
): Answer<readonly SignedCase[]> {
  const { events } = view
  const differing = await evidence.differing(events.map(({ seq, hash }) => ({ seq, hash })))
  if (!differing.ok) return differing
  if (differing.value.length > 0) return failed('case-not-ours', { reason: 'other-events' })
  const held = await evidence.cases()
  if (!held.ok) return held
  const known = new Set(held.value.map(identity))
  const evidenceOf = events.at(-1)?.seq ?? 0
  // The key that created it is of this account, also if the pack withholds the name.
  const names = [...view.names.filter((name) => name !== null), operator]
  const of = { about, evidence: evidenceOf, pack: view.digest }
  const fresh = view.countersignatures
    .map((each) => ({ ...of, countersignature: shownCountersignature(each) }))
    .filter((each) => !known.has(identity(each)))
  if (fresh.length === 0) return failed('case-known')
  const seconds = fresh.filter(({ countersignature }) => secondPerson(countersignature.by, names) === 'yes')
  return seconds.length === 0
    ? failed('case-same-person', { names: namesIn(fresh.map(({ countersignature }) => countersignature.by)) })
    : ok(seconds)
}

export function createCases(parts: EvidenceParts): Cases {
  const opened = new Map<string, { readonly pack: OpenedPack; readonly view: PackView; readonly name: string }>()
  let generation = 0
  parts.onRemoval(() => {
    generation += 1
    opened.clear()
  })

  const listed = async (about?: EvidenceAbout): Answer<readonly CountersignedCase[]> => {
    const store = await parts.store()
    if (!store.ok) return store
    const cases = await store.value.evidence.cases()
    if (!cases.ok) return cases
    const wanted = cases.value.filter((one) => !about || (one.about.kind === about.kind && one.about.id === about.id))
    return ok(
      wanted.map(({ about: subject, importedAt, newer, countersignature }) => ({
        about: subject,
        importedAt,
        newer,
        countersignature,
        state: newer === 0 ? 'valid' : 'void'
      }))
    )
  }

  return {
    async open() {
      const mine = generation
      const chosen = await choosePack(parts.chooseFile, 'Choose a case to countersign')
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const { file, path, checked } = chosen.value
      const own = await signingKey(parts.keychain)
      if (!own.ok) return own
      const { pack, view } = checked
      if (!pack || !view) return failed('evidence-refused', { reason: checked.findings.at(-1)?.what ?? 'format' })
      // Read while personal data was removed: it may contain it.
      if (mine !== generation) return failed('case-gone')
      const caseId = randomUUID()
      opened.set(caseId, { pack, view, name: basename(path) })
      const [oldest] = opened.keys()
      if (opened.size > maxOpen && oldest !== undefined) opened.delete(oldest)
      await parts.auditTrail.note({ kind: 'view.opened', plain: { what: 'case', pack: view.digest } })
      const refusal = refusalOf(view, keyOfSigner(own.value), parts.operator)
      return ok({
        caseId,
        verdict: verdictOf(file, checked, own.value),
        documents: documentsOf(view),
        countersignatures: heldCountersignatures(view),
        ...(refusal !== undefined && { refusal })
      })
    },
    async countersign({ caseId, signer, agrees, note }) {
      const found = opened.get(caseId)
      if (!found) return failed('case-gone')
      const own = await validSigningKey(parts.keychain, parts.clock.now())
      if (!own.ok) return own
      const { pack, view, name } = found
      const key = keyOfSigner(own.value)
      const refused = refusalOf(view, key, parts.operator)
      if (refused) return { ok: false, failure: refused }
      // A valid signature does not tell whose it is.
      if (readFingerprint(signer) !== fingerprintOf(view.key)) return failed('case-signer-unknown')
      const text = countersigned(pack, { agrees, at: parts.clock.now(), by: parts.operator, note }, own.value)
      if (!checkPack(text).intact) throw new Error('a countersigned case does not verify')
      const suggested = `${withoutEnding(name)}.${approvalEnding}`
      const saved = await saveText(parts, 'Save countersigned case', suggested, approvalEnding, text)
      if (!saved.ok || !saved.value) return saved
      opened.delete(caseId)
      await parts.auditTrail.note({
        kind: 'case.signed',
        plain: { about: view.about.kind, pack: view.digest, agrees, signer: key },
        ...concerning(view)
      })
      return saved
    },
    async import() {
      const store = await parts.store()
      if (!store.ok) return store
      const chosen = await choosePack(parts.chooseFile, 'Choose the countersigned case')
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const ours = await oursIn(chosen.value.checked, parts.keychain)
      if (!ours.ok) return ours
      const { evidence } = store.value
      const seconds = await newSeconds(evidence, ours.value, parts.operator)
      if (!seconds.ok) return seconds
      for (const signed of seconds.value) {
        const added = await evidence.addCase(signed, parts.operator, parts.clock.now())
        if (!added.ok) return added
      }
      const list = await listed(ours.value.about)
      return list.ok ? ok(list.value[0] ?? null) : list
    },
    list: listed
  }
}
