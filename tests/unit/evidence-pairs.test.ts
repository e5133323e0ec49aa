/** Two evidence packs side by side, and the files that belong to a pack. */
import { describe, expect, test } from 'vitest'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { attachmentFinding, attachmentOf } from '#core/evidence/pack/attachments.ts'
import { comparePacks } from '#core/evidence/pack/compare.ts'
import type { Content, OpenedPack } from '#core/evidence/pack/pack.ts'
import { batchId, happened, person, recordId, sealed, AuditTrail, type Draft } from './support/audit-trail.ts'

const applicant: EvidenceAbout = { kind: 'applicant', id: person }

describe('two packs', () => {
  const opened = (content: Content): OpenedPack => {
    const { pack, intact } = checkPack(sealed(content))
    if (!intact || !pack) throw new Error('not an intact pack')
    return pack
  }
  const compared = (a: Content, b: Content): string => {
    const codes = [comparePacks(opened(a), opened(b)), comparePacks(opened(b), opened(a))].map((found) =>
      'code' in found ? found.code : ''
    )
    expect(codes[0]).toBe(codes[1])
    return codes[0] ?? ''
  }
  const note: Draft = { kind: 'note.made', subject: 1, plain: { operator: 'first.person' }, sealed: { text: 'Later' } }
  const record: EvidenceAbout = { kind: 'record', id: recordId(1) }

  test('of one audit trail continue one another', () => {
    const auditTrail = new AuditTrail(happened())
    const first = auditTrail.content(applicant)
    expect(compared(first, first)).toBe('beside-same')
    auditTrail.add(note)
    expect(compared(first, auditTrail.content(applicant, 'no-personal-data'))).toBe('beside-continues')
    expect(compared(first, auditTrail.content(record))).not.toMatch(/forked|origin/)
  })

  test('of a fork are both refused, even if no event is in both', () => {
    const [one, two] = [
      new AuditTrail(happened()),
      new AuditTrail([
        ...happened().slice(0, -1),
        { ...happened().at(-1)!, plain: { operator: 'decider', decision: 'decline' } }
      ])
    ]
    const [first, other] = [one.content(applicant), two.content(applicant)]
    expect(compared(first, other)).toBe('beside-forked')
    for (const more of [note, note, note]) two.add(more)
    expect(compared(first, two.content(applicant))).toBe('beside-forked')
    // The packs after the fork are about different things; the second proves to continue a first one that differs.
    expect(compared(new AuditTrail(happened()).content(record), two.content({ kind: 'batch', id: batchId }))).not.toBe(
      'beside-continues'
    )
  })

  test('of different audit trails are refused', () => {
    const elsewhere = new AuditTrail([{ kind: 'program.started', plain: { version: '2' } }, ...happened().slice(1)])
    expect(compared(new AuditTrail(happened()).content(applicant), elsewhere.content(applicant))).toBe('beside-origin')
  })
})

describe('attachments', () => {
  const pdf = Buffer.from('%PDF-1.7 the page')
  test('are compared by their content, and one name cannot be used twice', () => {
    const attachments = [attachmentOf('page.pdf', pdf)]
    const content = new AuditTrail(happened()).content(applicant, 'full', { attachments })
    expect(checkPack(sealed(content)).verified).toBe(true)
    const code = (name: string, file: Buffer): string => {
      const found = attachmentFinding(content.attachments, name, file)
      return `${found.passed} ${'code' in found ? found.code : ''}`
    }
    expect(code('page.pdf', pdf)).toBe('true attachment-right')
    expect(code('renamed.pdf', pdf)).toBe('true attachment-right')
    expect(code('page.pdf', Buffer.from('%PDF-1.7 another'))).toBe('false attachment-wrong')
    expect(code('other.pdf', Buffer.from('x'))).toBe('false attachment-unknown')
    expect(
      checkPack(sealed({ ...content, attachments: [...attachments, ...attachments] })).findings.at(-1)
    ).toMatchObject({ passed: false, code: 'attachment-twice' })
  })
})
