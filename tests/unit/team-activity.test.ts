/** What colleagues did, as it is shown: each kind of entry, pages, filters, and what is not open. */
import { describe, expect, it } from 'vitest'
import { operationIds } from '#contract/verification/operations.ts'
import { teamDeedKinds, type TeamCursor, type TeamEntry } from '#contract/team/activity.ts'
import type { NamedDecision } from '#wire/history/applicants.ts'
import type { Writer } from '#store/records/writer.ts'
import { entryStatements } from '#exchange/activity/positions.ts'
import { subjectsStatement } from '#exchange/activity/received-events.ts'
import { codeOfEntry } from '#team/log/entries.ts'
import { answer, lost, unsent } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile } from './support/team-activity.ts'

const start = 1_760_000_000_000
const whats = (entries: readonly TeamEntry[]): readonly TeamEntry['what'][] => entries.map(({ what }) => what)
const connection = { name: 'Sandbox', origin: 'https://kyc.example.com', mode: 'sandbox' }
const operation = 'validate-applicant-id-document'

describe('an entry of a colleague', () => {
  it('is a check, with its connection, outcome, status and message', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    ben.check({ applicant: 'APP-1', startedAt: start + 5 }, answer('Document accepted', 201))
    ben.share(ours)
    expect(ours.page()).toEqual({
      entries: [
        {
          installation: ben.installation,
          seq: 2,
          member: 'Ben Okoro',
          operator: 'tester',
          at: start + 5,
          applicantId: 'APP-1',
          what: { kind: 'check', operation, connection, outcome: 'answered', status: 201, message: 'Document accepted' }
        }
      ]
    })
  })

  it('is a check without an end, of unknown outcome, resolved, or not sent', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    const id = ben.check({ startedAt: start + 1 }, lost)
    ben.check({ startedAt: start + 2 }, unsent)
    ben.check({ startedAt: start + 3 }, null)
    ben.share(ours)
    const check = { kind: 'check', operation, connection }
    expect(whats(ours.page().entries)).toEqual([
      check,
      { ...check, outcome: 'not-sent' },
      { ...check, outcome: 'unknown' }
    ])
    ben.write((writer) => writer.resolve(id, 'processed', 'Asked them', by(start + 9)))
    ben.share(ours)
    expect(whats(ours.page().entries)[2]).toEqual({ ...check, outcome: 'unknown', resolved: 'processed' })
  })

  it('is a decision, a note, tags, a due date, an assignee, a legal hold, an approval, an erasure, a relationship, a risk class or a challenge', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    ben.check({ applicant: 'APP-1' })
    const { applicants, erasure } = ben.engine
    const evidence = 4
    ben.write((writer) =>
      applicants.decide(
        writer,
        { applicantId: 'APP-1', decision: 'decline', reasons: ['suspected-fraud'], note: 'See file', evidence },
        by(start + 1, 'ben')
      )
    )
    ben.write((writer) => applicants.note(writer, 'APP-1', 'Called back', by(start + 2, 'ben')))
    ben.write((writer) => applicants.tag(writer, 'APP-1', ['pep', 'urgent'], by(start + 3, 'ben')))
    ben.write((writer) => applicants.due(writer, { applicantId: 'APP-1', due: start + 99 }, by(start + 4, 'ben')))
    ben.write((writer) => applicants.due(writer, { applicantId: 'APP-1', due: null }, by(start + 5, 'ben')))
    ben.write((writer) => applicants.assign(writer, { applicantId: 'APP-1', assignee: 'Ada' }, by(start + 6, 'ben')))
    ben.write((writer) => applicants.assign(writer, { applicantId: 'APP-1', assignee: null }, by(start + 7, 'ben')))
    ben.write((writer) => erasure.holds.set('APP-1', true, { ...by(start + 8, 'ben'), reason: 'Court order' }, writer))
    ben.write((writer) => erasure.holds.set('APP-1', false, { ...by(start + 9, 'ben'), reason: 'Lifted' }, writer))
    const name = (seq: number): NamedDecision => [ben.installation, seq, '00'.repeat(32)]
    ben.write((writer) =>
      ben.engine.approvals.ask(
        writer,
        {
          applicantId: 'APP-1',
          decision: 5,
          installation: ben.installation,
          scope: 'team',
          evidence: [],
          note: 'Please'
        },
        by(start + 10, 'ben')
      )
    )
    ben.write((writer) =>
      ben.engine.approvals.answer(
        writer,
        {
          applicantId: 'APP-1',
          scope: 'team',
          salt: '5a'.repeat(16),
          asked: name(3),
          agrees: false,
          note: 'No',
          signer: '00'.repeat(32),
          signature: '00'.repeat(64)
        },
        by(start + 10, 'ben')
      )
    )
    ben.write((writer: Writer) => ({
      ok: true,
      value: writer.append({
        at: start + 10,
        kind: 'subject.erased',
        subject: 99,
        record: null,
        plain: { id: 'x', cause: 'request', subjects: [98], records: 1, batchRows: 0, operator: 'ben' }
      })
    }))
    ben.write((writer) =>
      applicants.relate(
        writer,
        { applicantId: 'APP-1', state: 'refused', on: '2026-03-14', note: 'No licence' },
        by(start + 10, 'ben')
      )
    )
    ben.write((writer) =>
      applicants.rate(writer, { applicantId: 'APP-1', risk: 'high', months: 12, note: 'PEP' }, by(start + 10, 'ben'))
    )
    ben.write((writer) =>
      applicants.expiry(
        writer,
        { applicantId: 'APP-1', document: 'Passport', expires: '2031-05-03' },
        by(start + 10, 'ben')
      )
    )
    ben.write((writer) =>
      applicants.review(
        writer,
        { applicantId: 'APP-1', outcome: 'updated', note: 'New address' },
        by(start + 10, 'ben')
      )
    )
    ben.write((writer) =>
      applicants.challenge(writer, { applicantId: 'APP-1', text: 'My photo' }, by(start + 10, 'ben'))
    )
    ben.share(ours)
    const [challenged, reviewed, noted, rated, related, last, ...rest] = ours.page().entries
    expect(last).toEqual({
      installation: ben.installation,
      seq: 16,
      member: 'Ben Okoro',
      operator: 'ben',
      at: start + 10,
      what: { kind: 'erasure' }
    })
    expect(challenged?.what).toEqual({ kind: 'challenge', text: 'My photo' })
    expect(reviewed?.what).toEqual({ kind: 'review', outcome: 'updated', note: 'New address' })
    expect(noted?.what).toEqual({ kind: 'expiry', document: 'Passport', expires: '2031-05-03' })
    expect(rated?.what).toEqual({ kind: 'risk', risk: 'high', months: 12, note: 'PEP' })
    expect(related?.what).toEqual({ kind: 'relationship', state: 'refused', on: '2026-03-14', note: 'No licence' })
    expect(whats(rest.slice(0, -1))).toEqual([
      { kind: 'approval-answered', agrees: false, note: 'No' },
      { kind: 'approval-asked', note: 'Please' },
      { kind: 'hold', placed: false },
      { kind: 'hold', placed: true },
      { kind: 'assignee', assignee: null },
      { kind: 'assignee', assignee: 'Ada' },
      { kind: 'due', due: null },
      { kind: 'due', due: start + 99 },
      { kind: 'tags', tags: ['pep', 'urgent'] },
      { kind: 'note', text: 'Called back' },
      { kind: 'decision', decision: 'decline', reasons: ['suspected-fraud'], note: 'See file' }
    ])
    for (const entry of rest.slice(0, -1))
      expect(entry).toMatchObject({ operator: 'ben', applicantId: 'APP-1', member: 'Ben Okoro' })
    expect(new Set(ours.page().entries.map(({ what }) => what.kind))).toEqual(new Set(teamDeedKinds))
  })

  it('is not one of what a colleague looked at, copied or set up, nor an event whose values stay there', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    ben.write((writer) =>
      ben.engine.audit.note(writer, { kind: 'view.opened', operator: 'ben', at: start, plain: { what: 'history' } })
    )
    ben.write((writer) =>
      ben.engine.audit.note(writer, { kind: 'text.copied', operator: 'ben', at: start, plain: { characters: 4 } })
    )
    ben.check()
    ben.share(ours)
    expect(ours.page().entries).toHaveLength(1)
    expect(ours.store.head(ben.installation).seq).toBe(6)
  })

  it('has every operation, and the name of its member if that is known', () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    for (const each of operationIds) ben.check({ operation: each })
    ben.share(ours)
    expect(new Set(ours.page().entries.map(({ what }) => (what.kind === 'check' ? what.operation : '')))).toEqual(
      new Set(operationIds)
    )
    ours.names.clear()
    expect(ours.page().entries[0]?.member).toBe(ben.installation)
  })
})

describe('personal data', () => {
  const setUp = () => {
    const [ours, ben] = [here(), colleague('Ben Okoro')]
    ben.check({ applicant: 'APP-1' }, answer('Secret message'))
    const { applicants } = ben.engine
    ben.write((writer) =>
      applicants.decide(
        writer,
        { applicantId: 'APP-1', decision: 'approve', reasons: ['secret-code'], note: 'Secret note', evidence: 4 },
        by(start + 1)
      )
    )
    ben.write((writer) => applicants.note(writer, 'APP-1', 'Secret text', by(start + 2)))
    ben.write((writer) => applicants.tag(writer, 'APP-1', ['secret-tag'], by(start + 3)))
    ben.write((writer) => applicants.assign(writer, { applicantId: 'APP-1', assignee: 'Secret name' }, by(start + 4)))
    const subject = ben.engine.subjectOf('APP-1') ?? 0
    const key = ben.engine.dbs.subjects.prepare('SELECT key FROM subject WHERE ref = ?').pluck().get(subject) as Buffer
    return { ours, ben, subject, key }
  }
  const closedEntries = [
    { kind: 'assignee' },
    { kind: 'tags' },
    { kind: 'note' },
    { kind: 'decision', decision: 'approve' },
    { kind: 'check', operation, connection, outcome: 'answered', status: 200 }
  ]

  it('is shown once its key has arrived', () => {
    const { ours, ben } = setUp()
    ben.share(ours, false)
    const before = ours.page().entries
    expect(whats(before)).toEqual(closedEntries)
    expect(before.map(({ closed }) => closed)).toEqual(Array(5).fill('awaited'))
    expect(JSON.stringify(before)).not.toMatch(/APP-1|secret/i)
    expect(ours.about('APP-1')).toEqual([])
    ben.share(ours)
    expect(JSON.stringify(ours.page().entries).match(/secret/gi)).toHaveLength(6)
    expect(ours.about('APP-1')).toHaveLength(5)
    expect(ours.page().entries.some(({ closed }) => closed !== undefined)).toBe(false)
  })

  it('is awaited likewise if the subject is known without its key', () => {
    const { ours, ben, subject } = setUp()
    ben.share(ours, false)
    ours.subject(ben, subject, { state: 0 })
    expect(ours.page().entries.map(({ closed }) => closed)).toEqual(Array(5).fill('awaited'))
  })

  it('is gone after an erasure', () => {
    const { ours, ben, subject } = setUp()
    ben.share(ours)
    ours.subject(ben, subject, { state: 2 })
    const after = ours.page().entries
    expect(whats(after)).toEqual(closedEntries)
    expect(after.map(({ closed }) => closed)).toEqual(Array(5).fill('erased'))
    expect(JSON.stringify(after)).not.toMatch(/APP-1|secret/i)
    expect(ours.about('APP-1')).toEqual([])
  })

  it('is not shown with another key, nor if it is not what the event was signed with', () => {
    const { ours, ben, subject } = setUp()
    ben.share(ours)
    ours.subject(ben, subject, { key: Buffer.alloc(32, 1), applicant: 'APP-1' })
    expect(whats(ours.page().entries)).toEqual(closedEntries)
    ours.subject(ben, subject, { key: Buffer.alloc(3), applicant: 'APP-1' })
    expect(whats(ours.page().entries)).toEqual(closedEntries)
    const changed = here()
    const one = hostile(changed, [{ kind: 'note.made', plain: { operator: 'm' }, sealed: { text: 'as signed' } }])
    expect(whats(changed.page().entries)).toEqual([{ kind: 'note', text: 'as signed' }])
    const other = hostile(changed, [
      { kind: 'note.made', plain: { operator: 'm' }, sealed: { text: 'another' }, key: one.events.key }
    ])
    changed.subject(other, 7, { key: one.events.key })
    const contents = changed.db.prepare('SELECT content FROM event').pluck().all() as Buffer[]
    // The sealed part of the other event in the place of its own: the same key opens it.
    const [own, foreign] = [one.events.all[0]?.sealed, other.events.all[0]?.sealed].map((each) =>
      Buffer.from(each ?? [])
    )
    const swapped = Buffer.concat([
      (contents[1] ?? Buffer.alloc(0)).subarray(0, -(foreign?.length ?? 0)),
      own ?? Buffer.alloc(0)
    ])
    changed.db
      .prepare('UPDATE event SET content = ? WHERE content = ?')
      .run(
        Buffer.from(
          swapped.toString('latin1').replace(`"sealed":${foreign?.length}`, `"sealed":${own?.length}`),
          'latin1'
        ),
        contents[1]
      )
    expect(whats(changed.page().entries)).toContainEqual({ kind: 'note' })
  })
})

describe('pages', () => {
  it('have each entry once, newest first, equal times by installation and event', () => {
    const ours = here()
    const colleagues = ['Ben', 'Carla', 'Dan'].map(colleague)
    for (const [index, each] of colleagues.entries()) {
      for (let n = 0; n < 7; n += 1) each.check({ applicant: `APP-${n}`, startedAt: start + (n % 3) * 10 })
      each.check({ applicant: 'APP-0', startedAt: start + index })
      each.share(ours)
    }
    const all = ours.page().entries
    expect(all).toHaveLength(24)
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => b - a))
    const keyOf = ({ installation, seq }: TeamEntry): string => `${installation} ${String(seq).padStart(4, '0')}`
    expect(new Set(all.map(keyOf)).size).toBe(24)
    for (const limit of [1, 2, 5, 23, 24, 25]) expect(ours.walk({ limit }), String(limit)).toEqual(all)
    expect(ours.page({ limit: 24 }).next).toBeUndefined()
    expect(ours.page({ limit: 23 }).next).toBeDefined()
    // Of one time, the last that arrived first.
    const tied = all.filter(({ at }) => at === start + 10).map(keyOf)
    expect(tied).toEqual(tied.toSorted().toReversed())
  })

  it('stay complete while others arrive', () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    for (let n = 0; n < 9; n += 1) ben.check({ startedAt: start + n * 10 })
    ben.share(ours)
    const before = ours.page().entries
    const seen: TeamEntry[] = []
    let after: TeamCursor | undefined
    for (let n = 0; ; n += 1) {
      const { entries, next } = ours.page({ limit: 2, ...(after && { after }) })
      seen.push(...entries)
      if (!next) break
      after = next
      carla.check({ startedAt: start + 1000 + n })
      carla.check({ startedAt: start + n })
      carla.share(ours)
    }
    expect(seen.filter(({ member }) => member === 'Ben')).toEqual(before)
    expect(new Set(seen.map(({ installation, seq }) => `${installation} ${seq}`)).size).toBe(seen.length)
  })

  it('are of kinds and of an installation', () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    for (const each of [ben, carla]) {
      each.check({ applicant: 'APP-1' })
      for (let n = 0; n < 4; n += 1)
        each.write((writer) => each.engine.applicants.note(writer, 'APP-1', `Note ${n}`, by(start + n)))
      each.write((writer) => each.engine.applicants.tag(writer, 'APP-1', ['a'], by(start + 2)))
      each.share(ours)
    }
    const kinds = (entries: readonly TeamEntry[]): string =>
      entries
        .map(({ member, what }) => `${member} ${what.kind}`)
        .sort()
        .join()
    expect(ours.walk()).toHaveLength(12)
    expect(ours.walk({ kinds: [] })).toHaveLength(12)
    expect(kinds(ours.walk({ kinds: ['tags', 'check'] }))).toBe('Ben check,Ben tags,Carla check,Carla tags')
    expect(kinds(ours.walk({ kinds: ['tags', 'tags'] }))).toBe('Ben tags,Carla tags')
    expect(ours.walk({ kinds: ['erasure'] })).toEqual([])
    expect(ours.walk({ installation: ben.installation })).toEqual(ours.walk().filter(({ member }) => member === 'Ben'))
    expect(kinds(ours.walk({ installation: carla.installation, kinds: ['tags'] }))).toBe('Carla tags')
    expect(ours.page({ installation: 'ff'.repeat(16) })).toEqual({ entries: [] })
  })
})

describe('an applicant', () => {
  it('has what three installations did, with the checks that they linked', () => {
    const ours = here()
    const colleagues = ['Ben', 'Carla', 'Dan'].map(colleague)
    for (const [index, each] of colleagues.entries()) {
      each.check({ applicant: 'APP-2' })
      each.check({ applicant: 'APP-1', startedAt: start + index })
      each.share(ours)
    }
    const [ben] = colleagues
    const passport =
      ben?.check({ operation: 'validate-passport', startedAt: start + 50 }, answer('Passport read')) ?? ''
    ben?.share(ours)
    expect(ours.about('APP-1').map(({ member }) => member)).toEqual(['Dan', 'Carla', 'Ben'])
    expect(ours.page().entries[0]).toMatchObject({ what: { operation: 'validate-passport', message: 'Passport read' } })
    expect(ours.page().entries[0]).not.toHaveProperty('applicantId')
    ben?.write((writer) => ben.engine.applicants.link(writer, passport, 'APP-1', by(start + 60)))
    ben?.share(ours)
    expect(ours.about('APP-1').map(({ what }) => (what.kind === 'check' ? what.operation : ''))).toEqual([
      'validate-passport',
      operation,
      operation,
      operation
    ])
    expect(ours.about('APP-1')[0]).toMatchObject({ applicantId: 'APP-1', what: { message: 'Passport read' } })
    expect(ours.about('APP-1', 2)).toHaveLength(2)
    ben?.write((writer) => ben.engine.applicants.unlink(writer, passport, by(start + 70)))
    ben?.share(ours)
    expect(ours.about('APP-1')).toHaveLength(3)
    expect(ours.about('APP-3')).toEqual([])
  })

  it('loses a linked check with an erasure of the one or of the other', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'APP-1', startedAt: start - 9 })
    const passport = ben.check({ operation: 'validate-passport' }, answer('Passport read'))
    ben.write((writer) => ben.engine.applicants.link(writer, passport, 'APP-1', by(start + 60)))
    ben.share(ours)
    const applicant = ben.engine.subjectOf('APP-1') ?? 0
    const own = ben.engine.dbs.history.prepare('SELECT max(subject) FROM record').pluck().get() as number
    ours.subject(ben, own, { state: 2 })
    expect(ours.about('APP-1')[0]).toMatchObject({
      applicantId: 'APP-1',
      closed: 'erased',
      what: { operation: 'validate-passport' }
    })
    expect(ours.about('APP-1')[0]?.what).not.toHaveProperty('message')
    ben.share(ours)
    ours.subject(ben, applicant, { state: 2 })
    expect(ours.page().entries[0]).toMatchObject({ closed: 'erased' })
    expect(JSON.stringify(ours.page())).not.toMatch(/APP-1|Passport read/)
  })
})

describe('a million entries', () => {
  const plan = (sql: string, parameters: readonly unknown[]): string =>
    here()
      .db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map((each) => (each as { readonly detail: string }).detail)
      .join('\n')

  it.each(['ofKind', 'ofInstallation', 'ofSubject'] as const)('are read by an index, in its order: %s', (choice) => {
    const { same, before } = entryStatements(choice)
    for (const [sql, end] of [
      [same, 'at=? AND place<?'],
      [before, 'at<?']
    ] as const) {
      const found = plan(sql, Array(sql.split('?').length - 1).fill(0))
      expect(found).toMatch(/^SEARCH entry USING COVERING INDEX entry_\w+ \([^\n]*\)$/)
      expect(found).toContain(`AND ${end})`)
    }
  })

  it('need no scan for the subjects of an applicant', () => {
    const found = plan(subjectsStatement, ['APP-1'])
    // One row for each installation.
    expect(found.replace('SCAN i', '')).not.toContain('SCAN')
    expect(found).toMatch(/SEARCH subject USING COVERING INDEX subject_applicant \(applicant=\? AND ref=\?\)/)
    expect(found).not.toContain('TEMP B-TREE')
  })

  it('have the numbers of their kinds in the file', () => {
    expect(teamDeedKinds.map(codeOfEntry)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    expect(codeOfEntry('decision')).toBe(1)
    expect(['approval-asked', 'approval-answered'] as const).toEqual(teamDeedKinds.slice(8, 10))
  })
})
