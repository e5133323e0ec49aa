/** Events of a member who breaks every rule of a history: they are signed and verified, and still say anything. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxNoteLength } from '#contract/applicants/applicants.ts'
import { teamDeedKinds, type TeamEntry } from '#contract/team/activity.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { maxRecipes } from '#contract/verification/saved-recipes.ts'
import { SharedRecipes } from '#team/log/shared-recipes.ts'
import { colleague, here, hostile } from './support/team-activity.ts'
import type { Draft } from './support/team-log.ts'

const kinds: readonly EventKind[] = [
  'connection.noted',
  'record.begun',
  'record.ended',
  'record.resolved',
  'decision.made',
  'note.made',
  'tags.changed',
  'due.changed',
  'relationship.changed',
  'risk.rated',
  'expiry.noted',
  'review.recorded',
  'assignee.changed',
  'link.made',
  'link.removed',
  'hold.placed',
  'hold.lifted',
  'subject.erased',
  'recipe.shared'
]
const operation = 'validate-passport'
const begun = (record: number, more: Draft = {}): Draft => ({
  kind: 'record.begun',
  record,
  plain: { operation, connection: 1, operator: 'm' },
  sealed: { input: {} },
  ...more
})
const ended = (record: number, outcome: string, more: Draft = {}): Draft => ({
  kind: 'record.ended',
  record,
  plain: { outcome, reply: { status: 200 } },
  sealed: { message: outcome },
  ...more
})
const resolved = (record: number, as: string): Draft => ({
  kind: 'record.resolved',
  record,
  plain: { as, operator: 'm' }
})
const note = (text: unknown, more: Draft = {}): Draft => ({
  kind: 'note.made',
  plain: { operator: 'm' },
  sealed: { text },
  ...more
})
const shown = (drafts: readonly Draft[]): readonly TeamEntry[] => {
  const ours = here()
  hostile(ours, drafts)
  return ours.page().entries
}
const whats = (drafts: readonly Draft[]): readonly TeamEntry['what'][] => shown(drafts).map(({ what }) => what)
/** The longest text, and the longest list, in a value. */
const longest = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : Array.isArray(value)
      ? Math.max(value.length, ...value.map(longest))
      : typeof value === 'object' && value !== null
        ? Math.max(0, ...Object.values(value).map(longest))
        : 0

describe('events of any form', () => {
  const names = [
    'operator',
    'operation',
    'connection',
    'outcome',
    'reply',
    'status',
    'as',
    'decision',
    'reasons',
    'note',
    'text',
    'tags',
    'due',
    'state',
    'on',
    'assigned',
    'assignee',
    'message',
    'ref',
    'snapshot',
    'input',
    'subjects',
    '__proto__',
    'constructor',
    'toString'
  ]
  const object = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(
        'answered',
        'approve',
        'processed',
        operation,
        200,
        true,
        'active',
        '2026-03-14',
        'constructor',
        '__proto__',
        2 ** 53
      )
    ),
    { noNullPrototype: true }
  )
  // As a text, so that a name such as __proto__ is one of the object's own.
  const draft = fc.record({
    kind: fc.constantFrom(...kinds),
    plain: object,
    sealed: fc.option(object, { nil: undefined }),
    subject: fc.option(fc.constantFrom(7, 8, 0, 2 ** 50), { nil: null }),
    record: fc.option(fc.constantFrom(1, 2, 0, 2 ** 50), { nil: null }),
    at: fc.constantFrom(-5, 0, 1_760_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER)
  })

  it('are shown within bounds or not at all, and nothing throws', () => {
    fc.assert(
      fc.property(fc.array(draft, { minLength: 1, maxLength: 12 }), (drafts) => {
        const ours = here()
        const one = hostile(
          ours,
          drafts.map((each) => ({ ...each, sealed: each.sealed ?? undefined }) as Draft)
        )
        expect(ours.store.head(one.installation).seq).toBe(drafts.length)
        for (const entry of [...ours.walk(), ...ours.about('APP-1')]) {
          expect(teamDeedKinds).toContain(entry.what.kind)
          expect(Number.isNaN(new Date(entry.at).getTime())).toBe(false)
          expect(longest(entry)).toBeLessThanOrEqual(maxNoteLength)
          if (entry.what.kind === 'due' && entry.what.due !== null)
            expect(Number.isNaN(new Date(entry.what.due).getTime())).toBe(false)
          if (entry.what.kind === 'check' && entry.what.status !== undefined)
            expect(entry.what.status).toBeLessThan(1000)
        }
        ours.db.close()
      }),
      { numRuns: 30 }
    )
  })

  it('of which nothing is left are not shown', () => {
    expect(
      shown([
        begun(1, { plain: { operation: 'constructor' } }),
        begun(2, { plain: { operation: '__proto__' } }),
        begun(3, { plain: { operation: ['x'] } }),
        begun(4, { plain: {} }),
        { kind: 'decision.made', plain: { decision: 'toString' } },
        { kind: 'decision.made', plain: { decision: 'none' } },
        { kind: 'due.changed', plain: { due: '1' } },
        { kind: 'due.changed', plain: { due: 2 ** 53 } },
        { kind: 'due.changed', plain: {} },
        { kind: 'relationship.changed', plain: { state: 'married', on: '2026-03-14' } },
        { kind: 'relationship.changed', plain: { state: 'active', on: '2026-02-30' } },
        { kind: 'review.recorded', plain: { outcome: 'fine' } },
        { kind: 'risk.rated', plain: { class: 5, months: 12 } },
        { kind: 'risk.rated', plain: { class: 'high', months: 0.5 } },
        { kind: 'assignee.changed', plain: { assigned: 'yes' } }
      ])
    ).toEqual([])
  })

  it('share only recipes that can be sent, and no more than an installation can have', () => {
    const ours = here()
    const recipes = new SharedRecipes(ours.db)
    const shared = (plain: object): Draft => ({ kind: 'recipe.shared', subject: null, plain })
    hostile(ours, [
      shared({ name: 'Kept', operations: [operation] }),
      shared({ name: 'Gone', operations: [operation] }),
      shared({ name: 'Gone', operations: ['of-a-later-version'] }),
      shared({ name: 'Twice', operations: [operation, operation] }),
      shared({ name: 5, operations: [operation] }),
      shared({ name: 'x'.repeat(61), operations: [operation] }),
      shared({ name: 'None', operations: {} }),
      shared({})
    ])
    expect(recipes.all()).toMatchObject([{ name: 'Kept', operations: [operation] }])
    hostile(
      ours,
      Array.from({ length: maxRecipes + 5 }, (_, at) => shared({ name: `Many ${at}`, operations: [operation] }))
    )
    expect(recipes.all()).toHaveLength(1 + maxRecipes)
    ours.db.close()
  })

  it('of which something is left are shown without the rest', () => {
    expect(
      whats([
        note(['a']),
        note({ length: 3 }),
        { kind: 'tags.changed', plain: {}, sealed: { tags: ['a', 5] } },
        { kind: 'tags.changed', plain: { operator: 5 }, sealed: { tags: 'a' } },
        {
          kind: 'decision.made',
          plain: { decision: 'approve', operator: {} },
          sealed: { reasons: { length: 1 }, note: 5 }
        },
        { kind: 'assignee.changed', plain: { assigned: true }, sealed: { assignee: 5 } }
      ]).toReversed()
    ).toEqual([
      { kind: 'note' },
      { kind: 'note' },
      { kind: 'tags' },
      { kind: 'tags' },
      { kind: 'decision', decision: 'approve' },
      { kind: 'assignee' }
    ])
  })

  it('of a later version are not shown', () => {
    expect(
      shown([
        { kind: 'note.renamed' as EventKind },
        { kind: 'constructor.name' as EventKind },
        { kind: 'batch.made' },
        { kind: 'pack.made' }
      ])
    ).toEqual([])
  })

  it('without a subject or a record are not shown', () => {
    expect(
      whats([
        note('x', { subject: null }),
        begun(1, { subject: null }),
        { ...begun(1), record: null },
        { kind: 'subject.erased', subject: null, plain: { operator: 'm' } }
      ])
    ).toEqual([{ kind: 'erasure' }])
  })

  it('are cut', () => {
    const long = '字'.repeat(200_000)
    const [tags, decision, first, check] = shown([
      {
        kind: 'connection.noted',
        subject: null,
        plain: { ref: 1, snapshot: JSON.stringify({ name: long, origin: long, mode: 'live' }) }
      },
      begun(1, { plain: { operation, connection: 1, operator: long } }),
      ended(1, 'answered', { sealed: { message: long } }),
      note(long, { plain: { operator: long } }),
      {
        kind: 'decision.made',
        plain: { decision: 'approve' },
        sealed: { note: long, reasons: Array(20_000).fill(long.slice(0, 20)) }
      },
      { kind: 'tags.changed', plain: {}, sealed: { tags: Array(100).fill(long.slice(0, 1000)) } }
    ])
    expect(check).toMatchObject({
      operator: long.slice(0, 250),
      what: { connection: { name: long.slice(0, 60), origin: long.slice(0, 300) }, message: long.slice(0, 300) }
    })
    expect(first).toMatchObject({ operator: long.slice(0, 250), what: { text: long.slice(0, 8000) } })
    expect(decision).toMatchObject({ what: { note: long.slice(0, 8000), reasons: Array(20).fill(long.slice(0, 20)) } })
    expect(tags).toMatchObject({ what: { tags: Array(20).fill(long.slice(0, 60)) } })
    // Not within a character.
    expect(whats([note('a' + '😀'.repeat(5000))])).toEqual([{ kind: 'note', text: 'a' + '😀'.repeat(3999) + '\ufffd' }])
  })

  it('have dates, whatever their times', () => {
    expect(
      shown([
        note('a', { at: Number.MAX_SAFE_INTEGER }),
        note('b', { at: Number.MIN_SAFE_INTEGER }),
        note('c', { at: -1 })
      ]).map(({ at }) => at)
    ).toEqual([8.64e15, 0, 0])
  })
})

describe('events that contradict each other', () => {
  const what = (outcome?: string): object => ({
    kind: 'check',
    operation,
    ...(outcome !== undefined && { outcome, status: 200, message: outcome })
  })

  it('end a verification once, and only one that began', () => {
    expect(
      whats([ended(1, 'answered'), begun(1), ended(1, 'unknown'), ended(1, 'not-sent'), ended(9, 'answered')])
    ).toEqual([what('unknown')])
    expect(whats([begun(1), ended(1, 'constructor')])).toEqual([what()])
    expect(
      whats([begun(1), ended(1, 'answered', { plain: { outcome: 'answered', reply: { status: '200' } } })])
    ).toEqual([{ kind: 'check', operation, outcome: 'answered', message: 'answered' }])
  })

  it('resolve a verification once, and only one that ended', () => {
    expect(whats([begun(1), resolved(1, 'processed')])).toEqual([what()])
    expect(
      whats([
        begun(1),
        ended(1, 'unknown'),
        resolved(1, 'not-processed'),
        resolved(1, 'processed'),
        resolved(9, 'processed')
      ])
    ).toEqual([{ ...what('unknown'), resolved: 'not-processed' }])
    expect(whats([begun(1), ended(1, 'unknown'), resolved(1, 'valueOf')])).toEqual([what('unknown')])
  })

  it('begin a verification once', () => {
    expect(
      shown([begun(1, { at: 5 }), begun(1, { at: 6 }), begun(1, { at: 7, subject: 8 }), ended(1, 'answered')])
    ).toMatchObject([{ seq: 1, at: 5, what: what('answered') }])
  })

  it('name no message that another subject has', () => {
    const ours = here()
    const one = hostile(ours, [begun(1), ended(1, 'answered', { subject: 8, key: Buffer.alloc(32, 8) })])
    ours.subject(one, 8, { key: Buffer.alloc(32, 8) })
    expect(ours.page().entries.map((entry) => entry.what)).toEqual([
      { kind: 'check', operation, outcome: 'answered', status: 200 }
    ])
  })

  it('note a connection once, whatever it is', () => {
    const connection = (ref: unknown, snapshot: unknown): Draft => ({
      kind: 'connection.noted',
      subject: null,
      plain: { ref, snapshot }
    })
    const good = { name: 'A', origin: 'https://a.example', mode: 'live' }
    expect(
      whats([connection(1, JSON.stringify(good)), connection(1, JSON.stringify({ ...good, name: 'B' })), begun(1)])
    ).toMatchObject([{ connection: good }])
    for (const [ref, snapshot] of [
      ['1', JSON.stringify(good)],
      [1.5, ''],
      [-1, ''],
      [1, good],
      [1, '{'],
      [1, '[]'],
      [1, JSON.stringify({ ...good, mode: 'constructor' })],
      [1, JSON.stringify({ name: 'A' })]
    ] as const)
      expect(whats([connection(ref, snapshot), begun(1)])).toEqual([{ kind: 'check', operation }])
    // That of the place of another event.
    for (const number of ['1', 1.5, -1, null, 2 ** 60])
      expect(whats([begun(1, { plain: { operation, connection: number } })])).toEqual([{ kind: 'check', operation }])
  })

  it('link what there is, to its own subjects alone', () => {
    const link = (record: number, subject: number | null, kind: EventKind = 'link.made'): Draft => ({
      kind,
      record,
      subject,
      plain: { operator: 'm' }
    })
    const ours = here()
    const ben = colleague('Ben')
    for (let n = 1; n <= 9; n += 1) ben.check({ applicant: `BEN-${n}` })
    ben.share(ours)
    const before = ours.page().entries
    // Ben has a subject of each of these numbers.
    hostile(ours, [
      link(1, 1),
      begun(1),
      link(1, 2),
      begun(2),
      link(2, 3),
      link(9, 4),
      begun(3),
      link(3, null),
      begun(4),
      link(4, 5, 'link.removed')
    ])
    expect(ours.page().entries.filter(({ member }) => member === 'Ben')).toEqual(before)
    for (let n = 1; n <= 9; n += 1) expect(ours.about(`BEN-${n}`).map(({ member }) => member)).toEqual(['Ben'])
    expect(
      ours
        .walk()
        .filter(({ member }) => member === 'Mallory')
        .map(({ seq, applicantId, closed }) => [seq, applicantId ?? closed])
    ).toEqual([
      [9, 'APP-1'],
      [7, 'APP-1'],
      [4, 'awaited'],
      [2, 'awaited']
    ])
  })

  it('are of an applicant with a few subjects at most', () => {
    const ours = here()
    const one = hostile(
      ours,
      Array.from({ length: 40 }, (_, index) => note('x', { subject: 100 + index }))
    )
    for (let n = 0; n < 40; n += 1) ours.subject(one, 100 + n, { key: one.events.key, applicant: 'APP-1' })
    expect(ours.about('APP-1')).toHaveLength(4)
  })

  it('are of no applicant whose ID cannot be one', () => {
    for (const id of ['', ' x', 'x'.repeat(257), 'a\u0000']) {
      const ours = here()
      hostile(ours, [note('x')], id)
      expect(ours.page().entries).toMatchObject([{ what: { text: 'x' } }])
      expect(ours.page().entries[0]).not.toHaveProperty('applicantId')
    }
  })
})

describe('very many events', () => {
  it('that cannot be shown end a page early, and are passed over', () => {
    const ours = here()
    hostile(ours, [
      note('first'),
      ...Array.from({ length: 1020 }, (): Draft => ({ kind: 'decision.made', plain: { decision: 5 } })),
      note('last')
    ])
    const page = ours.page({ limit: 2 })
    expect(page.entries).toHaveLength(1)
    expect(page.next).toBeDefined()
    expect(ours.walk({ limit: 200 }).map(({ what }) => what)).toEqual([
      { kind: 'note', text: 'last' },
      { kind: 'note', text: 'first' }
    ])
  })

  it('of several megabytes each are read a few at a time', () => {
    const ours = here()
    hostile(
      ours,
      Array.from({ length: 9 }, () => note('字'.repeat(1_000_000)))
    )
    const { entries, next } = ours.page()
    expect([entries.length, next !== undefined]).toEqual([6, true])
    expect(ours.walk({ limit: 200 })).toHaveLength(9)
  })
})
