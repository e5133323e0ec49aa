/**
 * Four-eyes approval by file: a request and the full pack that it is in are read by a second person, on their own machine
 * with their own key and under a name other than the asker's and the decision's author's. The answer is a file that is
 * imported where the request was made, and then is what an answer through a team is. docs/decisions/0044-approvals-by-file.md.
 */
import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import {
  readFingerprint,
  type CaseAnswerOrder,
  type CaseDocument,
  type ImportedApproval,
  type OpenedCase
} from '#contract/evidence/evidence.ts'
import { failed, failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { newSalt, signAnswer } from '#wire/evidence/approval-signature.ts'
import { approvalText, readApproval, type FiledAnswer } from './approval-file.ts'
import { approvalEnding } from '#contract/app/opening.ts'
import {
  choosePack,
  companyFile,
  ownScope,
  readAttachment,
  verdictOf,
  withoutEnding,
  type EvidenceParts
} from './evidence.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { signingKey } from './signing-key.ts'
import { mayApprove } from './trust-standing.ts'
import { validSigningKey } from './own-keys.ts'
import { requestIn, type FiledRequest } from './pack/approvals.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'
import type { PackView } from './pack/view.ts'
import type { ArrivedAnswer, OwnAsk } from '#wire/history/approvals.ts'
import type { HistoryStore } from '#wire/history/store.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface Cases {
  /** Reads a request for approval that the user chooses, with the pack that it is in; null if cancelled. */
  open(): Answer<OpenedCase | null>
  /** Signs and records an answer, and saves it for whoever asked; null if cancelled, and then nothing is recorded. */
  answer(order: CaseAnswerOrder): Answer<{ readonly path: string } | null>
  /**
   * Keeps an answer to a request of this installation; null if cancelled. Failures: `approval-refused`, `approval-known`.
   *
   * @param text Of the answer's file; the user chooses one if it is absent.
   */
  import(text?: string): Answer<ImportedApproval | null>
}

/** Maximum number of opened cases; each is a pack in memory. */
const maxOpen = 8

interface OpenCase {
  readonly request: FiledRequest
  readonly view: PackView
  readonly name: string
}

/** Why this installation cannot answer: because of its key, or of its user's name. */
function refusalOf(
  { request, view }: Pick<OpenCase, 'request' | 'view'>,
  key: string,
  operator: string
): Failure | undefined {
  if (key === view.key) return failure('case-own-key')
  const person = secondPerson(operator, [...view.names, request.operator])
  if (person === 'yes') return undefined
  return person === 'no' ? failure('case-own-name', { name: operator }) : failure('case-names-withheld')
}

const documentsOf = ({ events }: PackView): CaseDocument[] =>
  events.map(({ seq, at, kind, record, entries, response }) => ({ seq, at, kind, record, fields: entries, response }))

type Reason = Extract<FailureDetails<'approval-refused'>, { readonly reason: string }>['reason']
const refused = (reason: Reason) => failed('approval-refused', { reason })

type ApproverRefusal = Extract<Reason, 'no-approver' | 'trust-expired'>
/** Why the key of an answer is not that of an approver by the company's trust file; undefined if it is, or without a file. */
async function approverRefusal(parts: EvidenceParts, signer: string, at: number): Answer<ApproverRefusal | undefined> {
  const company = await companyFile(parts)
  if (!company.ok) return company
  const may = company.value && mayApprove(company.value, signer, { at, now: parts.clock.now() })
  return ok(may === 'no' ? 'no-approver' : may === 'expired' ? 'trust-expired' : undefined)
}

/** The request that an answer in a file is to, and that it was made here by others than its signer; or why it counts for nothing. */
async function requestOf(
  store: HistoryStore,
  answer: FiledAnswer,
  {
    key,
    operator,
    refusal
  }: { readonly key: string; readonly operator: string; readonly refusal: ApproverRefusal | undefined }
): Answer<OwnAsk> {
  if (answer.signer === key) return refused('own-key')
  if (refusal) return refused(refusal)
  const here = await ownScope(store)
  if (!here.ok) return here
  if (answer.scope !== here.value.scope) return refused('elsewhere')
  const [installation, seq, hash] = answer.asked
  const found = await store.approvals.askOf(seq, hash)
  if (!found.ok) return found
  const ask = found.value
  if (ask === 'erased') return failed('approval-erased')
  if (ask?.scope !== answer.scope || ask.decision[0] !== installation) return refused('other-request')
  const person = secondPerson(answer.by, [operator, ask.operator, ask.decided.operator])
  return person === 'yes' ? ok(ask) : refused(person === 'no' ? 'same-person' : 'unknown-person')
}

/** The text of a file that the user chooses; undefined if cancelled. */
async function chosenAnswer({ chooseFile }: EvidenceParts): Answer<string | undefined> {
  const path = await chooseFile('Choose the answer of your colleague', [approvalEnding])
  if (path === undefined) return ok(undefined)
  const bytes = await readAttachment(path)
  return bytes.ok ? ok(Buffer.from(bytes.value).toString('utf8')) : bytes
}

export function createCases(parts: EvidenceParts): Cases {
  const opened = new Map<string, OpenCase>()
  let generation = 0
  parts.onRemoval(() => {
    generation += 1
    opened.clear()
  })

  return {
    async open() {
      const mine = generation
      const chosen = await choosePack(parts.chooseFile, 'Choose a request for approval')
      if (!chosen.ok || !chosen.value) return chosen as Result<null, Failure>
      const { file, path, checked } = chosen.value
      const own = await signingKey(parts.keychain)
      if (!own.ok) return own
      const { pack, view } = checked
      if (!pack || !view) return failed('evidence-refused', { reason: checked.findings.at(-1)?.what ?? 'format' })
      const request = requestIn(pack.content)
      if (!request) return failed('case-without-request')
      // Read while personal data was removed: it may contain it.
      if (mine !== generation) return failed('case-gone')
      const caseId = randomUUID()
      opened.set(caseId, { request, view, name: basename(path) })
      const [oldest] = opened.keys()
      if (opened.size > maxOpen && oldest !== undefined) opened.delete(oldest)
      await parts.auditTrail.note({ kind: 'view.opened', plain: { what: 'case', pack: view.digest } })
      const refusal = refusalOf({ request, view }, keyOfSigner(own.value), parts.operator)
      return ok({
        caseId,
        verdict: verdictOf(file, checked, own.value),
        documents: documentsOf(view),
        ...(refusal !== undefined && { refusal })
      })
    },
    async answer({ caseId, signer: owner, agrees, note }) {
      const found = opened.get(caseId)
      if (!found) return failed('case-gone')
      const own = await validSigningKey(parts.keychain, parts.clock.now())
      if (!own.ok) return own
      const { request, view, name } = found
      const signer = keyOfSigner(own.value)
      const refusal = refusalOf(found, signer, parts.operator)
      if (refusal) return { ok: false, failure: refusal }
      // A valid signature does not tell whose it is.
      if (readFingerprint(owner) !== fingerprintOf(view.key)) return failed('case-signer-unknown')
      const unable = await approverRefusal(parts, signer, parts.clock.now())
      if (!unable.ok) return unable
      if (unable.value) return failed('case-no-approver')
      const store = await parts.store()
      if (!store.ok) return store
      const path = await parts.chooseSavePath('Save answer', `${withoutEnding(name)}.${approvalEnding}`, [
        approvalEnding
      ])
      if (path === undefined) return ok(null)
      const { operator: by } = parts
      const at = Math.trunc(parts.clock.now())
      const { applicantId, asked, scope } = request
      const signed = { scope, asked, agrees, salt: newSalt() }
      const words = { ...signed, note, signer, signature: signAnswer(own.value, { ...signed, at, by }) }
      const recorded = await store.value.approvals.answer({ ...words, applicantId }, { at, operator: by })
      if (!recorded.ok) return recorded
      const here = await ownScope(store.value)
      if (!here.ok) return here
      const answer = [here.value.installation, recorded.value.seq, recorded.value.hash] as const
      const written = await parts.files.write(path, approvalText({ ...words, answer, at, by }, own.value))
      if (!written.ok) return written
      opened.delete(caseId)
      return ok({ path })
    },
    async import(dropped) {
      const store = await parts.store()
      if (!store.ok) return store
      const text = dropped === undefined ? await chosenAnswer(parts) : ok(dropped)
      if (!text.ok) return text
      if (text.value === undefined) return ok(null)
      const read = readApproval(text.value)
      if (!read.ok) return refused(read.failure)
      const key = await signingKey(parts.keychain)
      if (!key.ok) return key
      const { operator } = parts
      const refusal = await approverRefusal(parts, read.value.signer, read.value.at)
      if (!refusal.ok) return refusal
      const ask = await requestOf(store.value, read.value, {
        key: keyOfSigner(key.value),
        operator,
        refusal: refusal.value
      })
      if (!ask.ok) return ask
      const { applicantId } = ask.value
      const arrived: ArrivedAnswer = { ...read.value, applicantId }
      const kept = await store.value.approvals.receive([arrived], { at: parts.clock.now(), operator })
      if (!kept.ok) return kept
      if (kept.value.kept === 0) return failed('approval-known')
      const { agrees, by } = read.value
      return ok({ applicantId, agrees, by, ...(kept.value.void > 0 && { void: true as const }) })
    }
  }
}
