/** What of an applicant was on screen before a decision. */
import { documentFields } from '#contract/documents/documents.ts'
import type { Seen, SeenEntry } from '#contract/applicants/seen.ts'
import { signerOf } from '#contract/app/signatures.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Reader } from '../records/reader.ts'
import { answeredColumns, standingOf, type AnsweredRow } from './standing.ts'

interface Viewed {
  readonly field: string
  readonly source: 'kept' | 'link'
  readonly operator: string
}

export class SeenBefore {
  private readonly reader
  private readonly answered
  private readonly viewed

  constructor({ history, reader }: { readonly history: Db; readonly reader: Reader }) {
    this.reader = reader
    this.answered = history.prepare(`SELECT ${answeredColumns} FROM applicant a WHERE a.subject = ?`)
    this.viewed = history.prepare(
      `SELECT json_extract(plain, '$.field') AS field, json_extract(plain, '$.source') AS source,
         json_extract(plain, '$.operator') AS operator FROM event
       WHERE kind = 'document.viewed' AND record IS NOT NULL AND record = ? ORDER BY seq`
    )
  }

  /**
   * Of the newest answers to each operation those that were shown, and of the documents behind the links that they were given for those that this person has
   * opened here.
   *
   * @param shown IDs of records, as the window says.
   */
  of(
    subject: number,
    shown: readonly string[],
    operator: string
  ): { readonly seen: Seen; readonly list: readonly SeenEntry[] } {
    // Also those that an earlier approval has seen: who changes it decides about them again.
    const { answers: all } = this.answered.get(subject) as AnsweredRow
    const records = standingOf({ answers: all, approved: null }).map(({ seq }) => this.reader.summary(seq))
    const onScreen = new Set(shown)
    const answers = records.filter(({ id }) => onScreen.has(id)).map(({ seq }) => ({ record: seq }))
    // People give themselves another name, and not another account.
    const { account } = signerOf(operator)
    const documents = records.flatMap(({ seq, input }) =>
      documentFields.filter((field) => input[field]).map((field) => ({ record: seq, field }))
    )
    const opened = documents.flatMap(({ record, field }) => {
      const last = (this.viewed.all(record) as Viewed[]).findLast(
        (each) => each.field === field && signerOf(each.operator).account === account
      )
      return last ? [{ record, field, source: last.source }] : []
    })
    return {
      seen: { answers: [answers.length, records.length], documents: [opened.length, documents.length] },
      list: [...answers, ...opened]
    }
  }
}
