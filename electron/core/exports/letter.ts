/**
 * *Letter of explanation*: tells an applicant why they were approved or declined, in the wordings that the organisation gave its
 * reasons, and how to challenge that (Regulation (EU) 2024/1624, Art. 76(5)(c)). Nothing else of a case is in it: no note, no code,
 * no reason without a wording, no hold, class or approval, and of an escalation or a proposal there is no letter (Art. 73).
 */
import { createHash } from 'node:crypto'
import type { Decision, ReasonCode } from '#contract/applicants/applicants.ts'
import type { ApplicantDataOrder, ExplanationLetter } from '#contract/data-management/data-management.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { escaped, pageOf, row } from '#core/evidence/page.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { ExportText } from './rows.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Where the wordings of reasons are: the list, and the reasons that were removed from it. */
export interface Wordings {
  readonly decisionReasons: readonly ReasonCode[]
  readonly removedReasons: readonly ReasonCode[]
}

const told: Readonly<Partial<Record<Decision, string>>> = { approve: 'Approved', decline: 'Declined' }
const title = 'Explanation of a decision'
const challenge =
  'If you disagree with this decision, you can challenge it: answer to whoever sent you this letter and say why. A person will then look at it again.'

/**
 * What the letter says. Failures: those of the history, such as `applicant-missing`, and `letter-not-saved` if no decision stands that
 * can be told, or none of its reasons has a wording.
 */
export async function readLetter(
  store: HistoryStore,
  applicantId: string,
  { decisionReasons, removedReasons }: Wordings
): Answer<ExplanationLetter> {
  const shown = await store.applicants.show(applicantId)
  if (!shown.ok) return shown
  const { decision: made, name } = shown.value
  const decided = made && told[made.decision]
  // Until a second person agrees it is no decision.
  if (!made || decided === undefined || (made.proposed && made.answer?.agrees !== true))
    return failed('letter-not-saved', { reason: 'no-decision' })
  const reasons = made.reasons.flatMap(
    (code) => [...decisionReasons, ...removedReasons].find((reason) => reason.code === code)?.wording ?? []
  )
  if (reasons.length === 0) return failed('letter-not-saved', { reason: 'no-wording' })
  const on = new Date(made.at).toISOString().slice(0, 10)
  const rows: ExplanationLetter['rows'] = [
    ...(name === undefined ? [] : [['Name', name] as const]),
    ['Applicant ID', applicantId],
    ['Date of the decision', on],
    ['Decision', decided]
  ]
  const digest = createHash('sha256')
    .update(JSON.stringify([title, rows, reasons, challenge]))
    .digest('hex')
  return ok({ title, rows, reasons, challenge, digest })
}

const pageText = ({ title: heading, rows, reasons, challenge: how }: ExplanationLetter): string =>
  pageOf(
    heading,
    `<table>${rows.map(([label, value]) => row(label, `<span class="value">${escaped(value)}</span>`)).join('')}</table>
<h2>Reasons</h2>
${reasons.map((reason) => `<p class="value">${escaped(reason)}</p>`).join('\n')}
<h2>If you disagree</h2>
<p>${escaped(how)}</p>`
  )

/** The bytes of the PDF, as it was read; one entry. Failures: those of `readLetter`; `letter-not-saved` if it is different now, or cannot be printed. */
export async function letterText(
  store: HistoryStore,
  { applicantId, digest }: ApplicantDataOrder,
  wordings: Wordings,
  printPdf: ((html: string) => Promise<Uint8Array>) | undefined
): Answer<ExportText> {
  const head = await store.audit.head()
  if (!head.ok) return head
  const letter = await readLetter(store, applicantId, wordings)
  if (!letter.ok) return letter
  if (letter.value.digest !== digest) return failed('letter-not-saved', { reason: 'changed' })
  if (!printPdf) return failed('letter-not-saved', { reason: 'cannot-print' })
  let pdf: Uint8Array
  try {
    pdf = await printPdf(pageText(letter.value))
  } catch (error) {
    return failed('letter-not-saved', {
      reason: 'error',
      error: error instanceof Error ? error.name : 'unknown error'
    })
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield pdf
  }
  const { seq, hash } = head.value
  return ok({ head: { seq, hash }, pieces: pieces(), rows: () => 1 })
}
