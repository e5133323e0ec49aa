/** Evidence packs of version 1: what is accepted, and what a signer who lies about an honest audit trail cannot do. */
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import { evidenceFindingText } from '#contract/failures/sentences.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { contentOf as makeContent } from '#core/evidence/pack/make.ts'
import type { Evidence } from '#wire/history/evidence.ts'
import { fileText, type Content, type PackFile, type Series, type ContentEvent } from '#core/evidence/pack/pack.ts'
import { valueDigest, type EventLink } from '#kit/hashing/values.ts'
import { batchId, happened, person, recordId, sealed, signer, AuditTrail, type Draft } from './support/audit-trail.ts'

const profiles: RedactionProfile[] = ['full', 'no-personal-data']
const abouts: EvidenceAbout[] = [
  { kind: 'applicant', id: person },
  { kind: 'record', id: recordId(1) },
  { kind: 'batch', id: batchId }
]
const everything = abouts.flatMap((about) => profiles.map((profile) => [about.kind, profile, about] as const))

const contentOf = (
  about: EvidenceAbout,
  profile: RedactionProfile = 'full',
  drafts: readonly Draft[] = happened()
): Content => new AuditTrail(drafts).content(about, profile)
const applicant = abouts[0]!

const contentOfEvidence = (evidence: Evidence): Content =>
  makeContent(
    evidence,
    { about: applicant, profile: 'full', console: '1.2.3', attachments: [], certificates: [] },
    signer
  )

/** The code of the refusal, and its sentence. */
function refusal(content: Content, key = signer): string {
  const checked = checkPack(sealed(content, key))
  const last = checked.findings.at(-1)
  expect(checked.verified, last && evidenceFindingText(last)).toBe(false)
  return last && 'code' in last ? last.code : 'no code'
}
const sentence = (content: Content): string => {
  const last = checkPack(sealed(content)).findings.at(-1)
  return last ? evidenceFindingText(last) : ''
}
const without = (content: Content, dropped: ContentEvent): Content => ({
  ...content,
  events: content.events.filter((event) => event !== dropped),
  bodies: content.bodies.filter(({ record }) => !(dropped.kind === 'record.ended' && dropped.record === record))
})
const changed = (content: Content, kind: string, change: (event: ContentEvent) => Partial<ContentEvent>): Content => ({
  ...content,
  events: content.events.map((event) =>
    event.kind === kind && 'version' in event ? { ...event, ...change(event) } : event
  )
})

describe('a pack', () => {
  test.each(everything)('about a %s with the profile %s verifies', (_kind, profile, about) => {
    const checked = checkPack(sealed(contentOf(about, profile)))
    expect(checked.findings.filter(({ passed }) => !passed)).toEqual([])
    expect(checked).toMatchObject({
      verified: true,
      intact: true,
      view: { profile, madeBy: profile === 'full' ? 'first.person' : null }
    })
    expect(checked.withheld === 0).toBe(profile === 'full')
  })

  test('shows what its profile says, and nothing else', () => {
    const text = (profile: RedactionProfile): string => JSON.stringify(contentOf(applicant, profile))
    for (const word of [person, 'Seen', 'first.person', 'decider', 'Answer 1']) expect(text('full')).toContain(word)
    for (const word of [person, 'Seen', 'first.person', 'decider', 'Answer 1'])
      expect(text('no-personal-data')).not.toContain(word)
  })

  test('says how many events are shown only by time and kind', () => {
    const texts = checkPack(sealed(contentOf(applicant, 'no-personal-data'))).findings.map(evidenceFindingText)
    expect(texts).toContain('Events of which all values are withheld: note.made 1, link.made 1.')
  })

  test('of a person that was erased verifies, and not of one that was erased in part or whose erasure is left out', () => {
    const erasure = (subjects: readonly number[]): Draft => ({
      kind: 'subject.erased',
      plain: { id: recordId(90), cause: 'restore', subjects, records: 1, batchRows: 0 }
    })
    const record: EvidenceAbout = { kind: 'record', id: recordId(1) }
    const content = contentOf(record, 'full', [...happened(), erasure([1, 2])])
    const erase = (event: ContentEvent): ContentEvent =>
      'version' in event && event.sealed ? { ...event, sealed: { values: valuesOf(event) } } : event
    const bodies = content.bodies.map((body) => ({
      record: body.record,
      version: 1 as const,
      values: replyOf(content).values
    }))
    const erased = { ...content, events: content.events.map(erase), bodies }
    const another = contentOf(record, 'full', [...happened(), erasure([7])])
    expect(refusal({ ...another, events: another.events.map(erase), bodies })).toBe('erasure-missing')
    expect(checkPack(sealed(erased))).toMatchObject({
      verified: true,
      view: { erased: [expect.any(String), expect.any(String), 'the response of record 1'] }
    })
    expect(refusal({ ...erased, bodies: content.bodies })).toBe('partly-erased')
  })

  test('continues the pack before it, and proves it', () => {
    const auditTrail = new AuditTrail(happened())
    auditTrail.make(applicant, 'full')
    const second = auditTrail.content(applicant)
    expect(checkPack(sealed(second)).verified).toBe(true)
    expect(second.consistency?.size).toBe(happened().length + 1)
    expect(refusal({ ...second, consistency: null })).toBe('consistency-missing')
    const { consistency } = second
    if (!consistency) throw new Error('no consistency')
    expect(refusal({ ...second, consistency: { ...consistency, root: '00'.repeat(32) } })).toBe('consistency-wrong')
    expect(refusal({ ...second, consistency: { ...consistency, size: consistency.size - 1 } })).toBe(
      'consistency-wrong'
    )
    expect(refusal({ ...second, consistency: { ...consistency, path: consistency.path.slice(1) } })).toBe(
      'consistency-wrong'
    )
    // A proof that holds, but of the state before the last pack.
    const third = new AuditTrail(happened())
    third.make(applicant, 'full')
    const skipped = third.make(applicant, 'full')
    expect(skipped.earlier?.size).toBe(happened().length + 1)
  })
})

const valuesOf = (event: ContentEvent): string => {
  const auditTrail = new AuditTrail(happened())
  const found = auditTrail.events[event.seq - 1]
  return found?.sealed ? found.sealed.values : ''
}
const replyOf = (content: Content): { values: string } => {
  const end = content.events.find(({ kind }) => kind === 'record.ended')
  return (end && 'version' in end ? end.plain.shown.find(([, name]) => name === 'reply')?.[2] : undefined) as {
    values: string
  }
}

describe('a signer cannot leave out', () => {
  test.each(everything)('any event about a %s (%s)', (_kind, profile, about) => {
    const content = contentOf(about, profile)
    for (const event of content.events) {
      if (event.kind === 'connection.noted') continue
      const code = refusal(without(content, event))
      expect(
        [
          'series-gap',
          'series-end-missing',
          'record-parts',
          'not-last',
          'series-contradicts',
          'subject-other',
          'person-other',
          'series-other'
        ],
        `${event.kind} ${event.seq}`
      ).toContain(code)
    }
  })

  test('a note, naming how many events are missing and where', () => {
    const content = contentOf(applicant, 'no-personal-data')
    const note = content.events.find(({ kind }) => kind === 'note.made')!
    expect(sentence(without(content, note))).toMatch(/^Events of person 1 are missing: 1, between events 4 and \d+\.$/)
  })

  test('the last events of a record or the batch, or of a linked record', () => {
    const record = contentOf({ kind: 'record', id: recordId(1) })
    expect(
      sentence(
        without(
          record,
          record.events.find(({ kind }) => kind === 'record.ended')!
        )
      )
    ).toBe('Events of record 1 are missing at the end: 1, after event 3.')
    const linked = contentOf(applicant)
    expect(
      sentence(
        without(
          linked,
          linked.events.find(({ kind, record: of }) => kind === 'record.ended' && of === 2)!
        )
      )
    ).toMatch(/^Events of record 2 are missing at the end: 1/)
  })

  test('a response, or exchange it', () => {
    const content = contentOf(applicant)
    expect(refusal({ ...content, bodies: content.bodies.slice(1) })).toBe('response-missing')
    const [one, two] = content.bodies
    expect(
      refusal({
        ...content,
        bodies: [
          { ...two!, record: 1 },
          { ...one!, record: 2 }
        ]
      })
    ).toBe('response-changed')
    expect(refusal({ ...content, bodies: [two!, one!] })).toBe('response-order')
    expect(refusal({ ...content, bodies: [...content.bodies, { ...one!, record: 3 }] })).toBe('response-stray')
    expect(refusal({ ...content, bodies: [one!, ...content.bodies] })).toBe('response-twice')
  })

  test('the end of the audit trail', () => {
    const content = contentOf(applicant)
    for (const size of [1, 15, 16, 100])
      expect(['not-in-tree', 'not-last']).toContain(refusal({ ...content, root: '00'.repeat(32), size }))
    // A later state of the same audit trail, whose paths are right.
    const auditTrail = new AuditTrail(happened())
    const honest = auditTrail.content(applicant)
    auditTrail.add({ kind: 'view.opened', plain: { what: 'record', operator: 'first.person' } })
    const later = auditTrail.content({ kind: 'record', id: recordId(1) })
    const { events } = auditTrail.make(applicant, 'full')
    expect(events.length).toBeGreaterThan(0)
    expect(refusal({ ...honest, root: later.root, size: later.size })).toBe('not-in-tree')
  })
})

describe('a signer cannot change', () => {
  test('a value, a name, a kind, a time, a person, a record or a link', () => {
    const content = contentOf(applicant)
    const changes: Partial<ContentEvent>[] = [
      { kind: 'tags.changed' },
      { at: 1 },
      { subject: 2 },
      { record: 1 },
      { links: { subject: [3, 3] } },
      { links: {} }
    ]
    for (const change of changes)
      expect(refusal(changed(content, 'note.made', () => change)), JSON.stringify(change)).toBe('event-changed')
    const lie = changed(content, 'decision.made', ({ plain }) => ({
      plain: {
        ...plain,
        shown: plain.shown.map(([salt, name, value]) => [salt, name, name === 'decision' ? 'decline' : value] as const)
      }
    }))
    expect(refusal(lie)).toBe('event-changed')
  })

  test('what it is about, or its profile', () => {
    expect(refusal({ ...contentOf(applicant), about: { kind: 'applicant', id: 'APP-8' } })).toBe('subject-other')
    expect(refusal({ ...contentOf(applicant), about: { kind: 'applicant', id: null } })).toBe('subject-withheld')
    expect(refusal({ ...contentOf(applicant), about: { kind: 'record', id: recordId(1) } })).toBe('subject-other')
    expect(
      refusal({ ...contentOf({ kind: 'record', id: recordId(1) }), about: { kind: 'record', id: recordId(2) } })
    ).toBe('subject-other')
    expect(refusal({ ...contentOf({ kind: 'batch', id: batchId }), about: { kind: 'batch', id: recordId(2) } })).toBe(
      'subject-other'
    )
    expect(refusal({ ...contentOf(applicant), profile: 'no-personal-data' })).toBe('operator-shown')
    expect(refusal({ ...contentOf(applicant, 'no-personal-data'), profile: 'full' })).toBe('full-withholds')
    const auditTrail = new AuditTrail(happened())
    expect(refusal(auditTrail.content(applicant, 'no-personal-data', { change: { profile: 'full' } }))).toBe(
      'profile-other'
    )
  })

  test('which series it contains', () => {
    const seq = happened().length + 1
    const record: Series = ['record', 2, 2, 7]
    const states = (series: unknown): string =>
      refusal(new AuditTrail(happened()).content(applicant, 'full', { change: { series } }))
    expect(states([])).toBe('series-other')
    expect(states([['subject', 1, 6, seq]])).toBe('series-other')
    expect(states([['subject', 2, 2, 7], record])).toBe('series-other')
    expect(states([['subject', 1, 5, 14], record])).toBe('series-contradicts')
    expect(states([['subject', 1, 6, seq], record, record])).toBe('series-other')
    expect(
      states([
        ['subject', 1, 6, seq],
        ['record', 2, 3, 7]
      ])
    ).toBe('series-end-missing')
    expect(
      states([
        ['subject', 1, 6, seq],
        ['record', 2, 2, 6]
      ])
    ).toBe('series-contradicts')
    expect(states('none')).toBe('value-missing')
    expect(
      checkPack(
        sealed(
          new AuditTrail(happened()).content(applicant, 'full', {
            change: { series: [['subject', 1, 6, seq], record] }
          })
        )
      ).verified
    ).toBe(true)
  })

  test('whom its events are about', () => {
    const seq = happened().length + 1
    const more = {
      change: {
        series: [
          ['subject', 1, 6, seq],
          ['record', 2, 2, 7],
          ['subject', 3, 2, 10]
        ]
      }
    }
    expect(refusal(new AuditTrail(happened()).content(applicant, 'full', more))).toBe('person-other')
  })

  test('the order of events in their series, even in an audit trail of lies', () => {
    const note = (links: Draft['links']): Draft[] =>
      happened().map((draft) => (draft.kind === 'note.made' ? { ...draft, links } : draft))
    const refused = (links: Draft['links']): string => refusal(contentOf(applicant, 'full', note(links)))
    expect(refused({ subject: [3, 3] })).toBe('series-contradicts')
    expect(refused({ subject: [4, 4] })).toBe('series-gap')
    expect(refused({ subject: [2, 3] })).toBe('series-contradicts')
    for (const links of [
      {},
      { record: [1, 0] },
      { subject: [3, 4], batch: [1, 0] },
      { subject: [1, 4] },
      { subject: [3, 0] },
      { subject: [3, 99] }
    ] as const)
      expect(refused(links), JSON.stringify(links)).toBe('event-links')
  })

  test('the order of all decisions and of all verifications', () => {
    const begun = (all: EventLink | undefined): Draft[] =>
      happened().map((draft) =>
        draft.kind === 'record.begun' && draft.record === 2
          ? { ...draft, links: { ...(all && { all }), record: [1, 0], subject: [1, 0] } }
          : draft
      )
    const made = (all?: EventLink): Content => contentOf(applicant, 'full', begun(all))
    const refused = (all?: EventLink): string => refusal(made(all))
    // Others can be between them.
    for (const all of [
      [2, 3],
      [4, 4]
    ] as const)
      expect(checkPack(sealed(made(all))), String(all)).toMatchObject({ verified: true })
    expect(refused()).toBe('event-links')
    expect(refused([1, 0])).toBe('series-contradicts')
    expect(refused([2, 4])).toBe('series-contradicts')
    expect(refused([3, 3])).toBe('series-contradicts')
    const decided = happened().map((draft) =>
      draft.kind === 'note.made' ? { ...draft, links: { all: [1, 0], subject: [3, 4] } as const } : draft
    )
    expect(refusal(contentOf(applicant, 'full', decided))).toBe('event-links')
  })

  test('that its event is the last one of the audit trail', () => {
    const auditTrail = new AuditTrail(happened())
    const { events } = auditTrail.make(applicant, 'full')
    const last = auditTrail.add({
      kind: 'note.made',
      subject: 1,
      plain: { operator: 'first.person' },
      sealed: { text: 'Later' }
    })
    const later = contentOfEvidence(auditTrail.collected(last, events))
    expect(refusal(later)).toBe('not-last')
    expect(checkPack(sealed(contentOfEvidence(auditTrail.collected(last - 1, events)))).intact).toBe(true)
  })

  test('the key or the origin', () => {
    const content = contentOf(applicant)
    const other = generateKeyPairSync('ed25519').privateKey
    expect(refusal(content, other)).toBe('key-of-another')
    const { leaf, path } = content.origin
    for (const origin of [
      { leaf: '00'.repeat(32), path },
      { leaf, path: path.slice(1) }
    ])
      expect(refusal({ ...content, origin })).toBe('origin-wrong')
  })
})

describe('a part', () => {
  test('has each name once, and only one spelling', () => {
    const content = contentOf({ kind: 'record', id: recordId(1) }, 'no-personal-data')
    const reversed = changed(content, 'record.ended', ({ plain }) => ({
      plain: { ...plain, shown: [...plain.shown].reverse() }
    }))
    expect(refusal(reversed)).toBe('values-unsorted')
    const full = contentOf({ kind: 'record', id: recordId(1) })
    const twice = changed(full, 'record.ended', ({ plain }) => ({
      plain: { ...plain, shown: [...plain.shown, plain.shown.at(-1)!] }
    }))
    expect(['name-twice', 'event-changed']).toContain(refusal(twice))
  })

  test('must show what the checks read', () => {
    const content = contentOf({ kind: 'record', id: recordId(1) }, 'no-personal-data')
    const hidden = changed(content, 'record.ended', ({ plain }) => {
      const salted = plain.shown.filter(([, name]) => name === 'reply')
      return {
        plain: {
          ...plain,
          shown: plain.shown.filter(([, name]) => name !== 'reply'),
          withheld: [...plain.withheld, ...salted.map(valueDigest)].sort()
        }
      }
    })
    expect(refusal(hidden)).toBe('value-missing')
  })
})

describe('the form', () => {
  const text = sealed(contentOf(applicant))
  const file = JSON.parse(text) as PackFile
  const code = (changed: string): string => {
    const last = checkPack(changed).findings.at(-1)
    return last && !last.passed ? ('code' in last ? last.code : last.detail) : 'accepted'
  }
  const payload = (change: (content: string) => string): string => {
    const content = change(Buffer.from(file.envelope.payload, 'base64').toString())
    return fileText({ ...file, envelope: { ...file.envelope, payload: Buffer.from(content).toString('base64') } })
  }

  test.each([
    ['another version', text.replace('"version":1}\n', '"version":2}\n'), 'form-wrong'],
    ['no line feed', text.trimEnd(), 'not-canonical'],
    ['a space', text.replace(',', ', '), 'not-canonical'],
    ['another member', fileText({ ...file, more: 1 } as PackFile), 'form-wrong'],
    ['a member that is not one', text.replace('{"envelope"', '{"__proto__":{},"envelope"'), 'form-wrong'],
    ['base64 with other trailing bits', fileText({ ...file, timestamps: ['QR=='] }), 'form-wrong'],
    ['a content with a space', payload((content) => content.replace(',', ', ')), 'not-canonical'],
    [
      'a content with a number that no double is',
      payload((content) => content.replace('"took",1.5', '"took",1e999')),
      'not-canonical'
    ],
    [
      'a content that is nested too deeply',
      payload((content) => content.replace('"took",1.5', `"took",${'['.repeat(60)}1.5${']'.repeat(60)}`)),
      'too-deep'
    ],
    ['a content with other bytes', payload((content) => content.replace('Seen', 'Sees')), 'signature-wrong'],
    [
      'two signatures',
      fileText({
        ...file,
        envelope: { ...file.envelope, signatures: [...file.envelope.signatures, ...file.envelope.signatures] }
      }),
      'form-wrong'
    ],
    [
      'another type',
      fileText({ ...file, envelope: { ...file.envelope, payloadType: 'application/json' } }),
      'form-wrong'
    ]
  ])('with %s is refused', (_name, changed, expected) => {
    expect(changed).not.toBe(text)
    expect(code(changed)).toBe(expected)
  })

  test('damaged anywhere is refused', () => {
    for (let at = 0; at < text.length; at += 97) {
      const bytes = Buffer.from(text)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      expect(checkPack(bytes.toString('utf8')).intact, `byte ${at}`).toBe(false)
    }
  })
})
