import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  failed,
  failure,
  invalidField,
  type AuditBreak,
  type Failure,
  type FailureDetails
} from '#contract/failures/failures.ts'
import { auditBreakTable } from '#contract/evidence/audit-sentences.ts'
import type { FailureDeclaration } from '#contract/failures/declaration.ts'
import { fieldFaultTable } from '#contract/verification/field-sentences.ts'
import {
  auditBreakText,
  fieldFaultSentence,
  phraseOf,
  rowFaultsText,
  sentencesOf,
  withSentences
} from '#contract/failures/sentences.ts'
import { failureTable } from '#contract/failures/table.ts'

const folder = path.join(import.meta.dirname, '../../contract')
const rows: [string, FailureDeclaration][] = Object.entries(failureTable)
const namesIn = (text: string): string[] => Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '')

describe('The table of failures', () => {
  it('holds every row of every subject: no code is in two of them', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /sentences\.ts$/.test(name)
    )
    const codes = files.flatMap((name) =>
      Array.from(
        readFileSync(path.join(folder, name), 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: \{\n {4}what:/gm),
        (match) => match[1]
      )
    )
    expect(codes.length).toBeGreaterThan(80)
    expect(codes.sort()).toEqual(Object.keys(failureTable).sort())
  })

  it('has three whole sentences in each row, and phrases without a full stop', () => {
    for (const [code, row] of rows) {
      for (const sentence of [row.what, row.impact, row.nextStep]) {
        expect(sentence, code).toMatch(/^[A-Z{“].*(\.|\. \{fields\})$/)
        expect(sentence, code).not.toContain('!')
      }
      for (const phrase of [...Object.values(row.reasons ?? {}), ...(row.phrase ? [row.phrase] : [])])
        expect(phrase, code).toMatch(/[^.]$/)
      // A row with reasons has a placeholder for them.
      if (row.reasons) expect(namesIn(row.what), code).toContain('reason')
    }
    for (const sentence of Object.values(fieldFaultTable)) expect(sentence).toMatch(/^[A-Z].*\.$/)
  })

  it('leaves no name in a sentence, whatever is known', () => {
    for (const [code, row] of rows) {
      for (const reason of Object.keys(row.reasons ?? {})) {
        const details = Object.fromEntries(
          Object.values(row)
            .concat(Object.values(row.reasons ?? {}))
            .flatMap((text) => (typeof text === 'string' ? namesIn(text) : []))
            .map((name) => [name, 7])
        )
        for (const each of [{ ...details, reason, errno: 'EIO' }, { reason }, {}]) {
          const said = sentencesOf({ code, details: each } as unknown as Failure)
          for (const sentence of Object.values(said))
            expect(sentence, `${code} ${reason}`).not.toMatch(/[{}]|undefined| \.|\(\)/)
        }
      }
    }
  })
})

describe('A failure', () => {
  it('is data alone', () => {
    expect(failure('connection-name-taken', { name: 'Live' })).toEqual({
      code: 'connection-name-taken',
      details: { name: 'Live' }
    })
    expect(failure('backup-failed', { cause: failure('disk-full') })).toEqual({
      code: 'backup-failed',
      cause: { code: 'disk-full' }
    })
    expect(failed('setting-invalid', {}, { proxyUrl: invalidField('proxy-missing') })).toEqual({
      ok: false,
      failure: { code: 'setting-invalid', fields: { proxyUrl: { code: 'proxy-missing' } } }
    })
  })

  it('compiles with the details of its sentences alone', () => {
    // Never called: each marked line must not compile (`npm test -- check`).
    const shown = (): unknown[] => [
      failure('disk-full'),
      failure('connect-timeout', { host: 'kyc.example.com', seconds: 10 }),
      failure('backup-failed', { reason: 'in-progress' }),
      failure('backup-failed', { errno: 'ENOSPC' }),
      // @ts-expect-error A code that no row has.
      failure('disk-fool'),
      // @ts-expect-error A detail is missing.
      failure('connect-timeout', { host: 'kyc.example.com' }),
      // @ts-expect-error All details are missing.
      failure('connect-timeout'),
      // @ts-expect-error A detail is misspelt.
      failure('connect-timeout', { host: 'kyc.example.com', second: 10 }),
      // @ts-expect-error A number is given as a text.
      failure('connect-timeout', { host: 'kyc.example.com', seconds: '10' }),
      // @ts-expect-error There is no reason.
      failure('backup-failed', {}),
      // @ts-expect-error A reason that its row does not have.
      failure('backup-failed', { reason: 'another backup is in progress' }),
      // @ts-expect-error The detail of a reason is missing.
      failure('backup-failed', { reason: 'file-shortened' }),
      // @ts-expect-error A failure whose sentences give no reason has no cause.
      failure('disk-full', { cause: failure('history-busy') }),
      // @ts-expect-error The detail of a field's fault is missing.
      invalidField('too-long', { limit: 5 })
    ]
    const details: FailureDetails<'history-newer'> = { version: 7, supported: 5 }
    expect([typeof shown, details.version]).toEqual(['function', 7])
  })
})

describe('Its sentences', () => {
  it('fill in what is known, and leave out what is not', () => {
    expect(sentencesOf(failure('connection-name-taken', { name: 'Live' })).what).toBe(
      'Another connection is already called “Live”.'
    )
    expect(sentencesOf({ code: 'internal' }).what).toBe('Veridesk encountered an internal error.')
    expect(sentencesOf({ code: 'backup-failed' }).what).toBe('The backup could not be created.')
    expect(sentencesOf(failure('batch-too-many-rows', { limit: 100_000 })).what).toBe(
      'The file has more than 100,000 rows.'
    )
    expect(sentencesOf(failure('reply-too-large', { limitBytes: 8 * 1024 * 1024 })).what).toBe(
      'The response is larger than 8 MiB.'
    )
    expect(sentencesOf(failure('reply-too-large', { limitBytes: 5000 })).what).toBe(
      'The response is larger than 5,000 bytes.'
    )
    expect(sentencesOf(failure('evidence-documents-too-large', { limitBytes: 1024 ** 3 })).what).toContain('1 GiB')
    expect(sentencesOf(failure('document-copy-failed', { reason: 'quota', limitBytes: 200_000_000_000 })).what).toBe(
      'No copy of the document was kept: all copies together may have 200 GB.'
    )
    expect(sentencesOf(failure('update-expired', { expiredAt: Date.UTC(2026, 0, 31, 12, 5, 59) })).what).toBe(
      'The notice of the update feed expired on 2026-01-31 12:05 UTC.'
    )
    expect(sentencesOf(failure('batch-restored-rerun', { backupAt: Date.UTC(2026, 0, 31, 12, 5, 59) })).what).toContain(
      'the backup of 2026-01-31 12:05 UTC.'
    )
  })

  it('give a reason, an error code of the system and a cause as phrases', () => {
    const what = (given: Failure): string => sentencesOf(given).what
    expect(what(failure('backup-failed', { reason: 'file-shortened', file: 'history.db' }))).toBe(
      'The backup could not be created: history.db ended before its size.'
    )
    expect(what(failure('file-unwritable', { file: 'a.csv', errno: 'EROFS' }))).toBe(
      'The file a.csv could not be written: the disk is read-only.'
    )
    expect(what(failure('file-unwritable', { file: 'a.csv', errno: 'ESTRANGE' }))).toBe(
      'The file a.csv could not be written: the system reported ESTRANGE.'
    )
    expect(what(failure('file-unreadable', { file: 'a.json', errno: 'ENOENT' }))).toBe(
      'The file a.json could not be read: it does not exist.'
    )
    expect(what(failure('tls-failed', { host: 'a', errno: 'ESTRANGE' }))).toBe(
      'The secure connection to a failed: the TLS handshake failed with ESTRANGE.'
    )
    expect(what(failure('data-folder-unusable', { folder: '/x', reason: 'lock', errno: 'EACCES' }))).toBe(
      'The data folder /x cannot be used: it cannot be locked: access is denied.'
    )
    const scheduled = failure('backup-by-schedule-failed', { cause: failure('backup-failed', { errno: 'EACCES' }) })
    expect(what(scheduled)).toBe('The last scheduled backup failed: access is denied.')
    expect(phraseOf(failure('history-busy'))).toBe('Another application is using the history file')
  })

  it('say of a code of a later version that it is not known', () => {
    expect(sentencesOf({ code: 'of-later' } as unknown as Failure).what).toBe(
      'A failure that this version of Veridesk does not know (of-later).'
    )
  })

  it('are those of fields, too', () => {
    expect(fieldFaultSentence(invalidField('too-long', { limit: 256, length: 1234 }))).toBe(
      'Enter at most 256 characters. This value has 1,234.'
    )
    const refused = failure(
      'connection-invalid',
      {},
      { name: invalidField('name-missing'), mark: invalidField('mark-invalid') }
    )
    expect(sentencesOf(refused).what).toBe(
      'The connection cannot be saved. Enter a name. Enter one to four letters or digits.'
    )
    expect(
      rowFaultsText([
        { column: 'id', fault: invalidField('spaces-around') },
        { column: '', fault: invalidField('cell-nul') }
      ])
    ).toMatch(/^id: Remove .*\. This cell/)
  })

  it('are written for programs beside the data', () => {
    const given = failure('name-not-found', { host: 'kyc.example.com' })
    const { what, impact, nextStep } = sentencesOf(given)
    const written = JSON.parse(
      JSON.stringify(
        { id: 'x', failure: given, reason: 'by request', rows: [{ fault: invalidField('cell-nul') }] },
        withSentences
      )
    ) as unknown
    expect(written).toEqual({
      id: 'x',
      reason: 'by request',
      rows: [{ fault: fieldFaultTable['cell-nul'] }],
      failure: { ...given, what, impact, nextStep }
    })
  })
})

describe('A break of the audit trail', () => {
  it('is a whole sentence with every number in its place', () => {
    for (const [code, { why, what }] of Object.entries(auditBreakTable)) {
      const details = Object.fromEntries(namesIn(what).map((name, index) => [name, 1200 + index]))
      const text = auditBreakText({ code, why, details } as unknown as AuditBreak)
      expect(text, code).toMatch(/^[A-Z][^{}]*[.]$/)
      for (const number of Object.values(details)) expect(text, code).toContain(number.toLocaleString('en'))
    }
  })

  it('names the numbers of its sentence, and the kind of its code', () => {
    const found = { why: 'gap', code: 'events-missing', details: { first: 3, last: 5 } } satisfies AuditBreak
    expect(auditBreakText(found)).toBe('Events 3 to 5 are missing.')
    // @ts-expect-error A detail is missing.
    const lacking: AuditBreak = { why: 'gap', code: 'events-missing', details: { first: 3 } }
    // @ts-expect-error This code is of another kind.
    const other: AuditBreak = { why: 'tail', code: 'events-missing', details: { first: 3, last: 5 } }
    expect([lacking.code, other.code]).toEqual([found.code, found.code])
  })
})
