/** What becomes of each kind of event at a restore: one list, on which no kind is missing. */
import Database from 'better-sqlite3-multiple-ciphers'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { leftBehind, sinceBackupText, type LeftBehind } from '#contract/data-management/since-backup.ts'
import { packKinds } from '#core/evidence/kinds.ts'
import { atRestore, sinceEvent, type AtRestore } from '#store/events/at-restore.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'

const plural = (amount: number, one: string, several: string): string => `${amount} ${amount === 1 ? one : several}`

const answers = Object.entries(atRestore) as readonly [EventKind, AtRestore][]
/** What a person states, with effects: losing it without a word would be a loss. */
const stated: readonly EventKind[] = [
  'record.resolved',
  'batch.resolved',
  'decision.made',
  'review.recorded',
  'risk.rated',
  'relationship.changed',
  'expiry.noted',
  'challenge.recorded',
  'checklist.noted',
  'approval.asked',
  'approval.answered',
  'approval.received',
  'hold.placed',
  'hold.lifted',
  'setting.changed',
  'policies.changed'
]

/** Events as `sinceEvent` reads them, each of record and batch `of`. */
function historyOf(kinds: readonly EventKind[], of = 1): InstanceType<typeof Database> {
  const history = new Database(':memory:')
  history.exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, kind TEXT, record INTEGER, plain TEXT)')
  for (const kind of kinds) add(history, kind, of)
  return history
}
/** Adds one. @returns What stays behind of the events after the second. */
function add(history: InstanceType<typeof Database>, kind: EventKind, of: number) {
  const values = [kind, kind.startsWith('record.') ? of : null, JSON.stringify({ id: `batch ${of}` })]
  history.prepare('INSERT INTO event (kind, record, plain) VALUES (?, ?, ?)').run(...values)
  return sinceEvent(history, 2).left
}

describe('what a restore must not lose', () => {
  test('has each kind of event on one side: a new one does not compile before somebody has decided', () => {
    expectTypeOf<Exclude<EventKind, keyof typeof atRestore>>().toBeNever()
    expectTypeOf<Exclude<keyof typeof atRestore, EventKind>>().toBeNever()
    const { 'hold.placed': _, ...lacking } = atRestore
    // @ts-expect-error One kind is on neither side.
    const whole: Readonly<Record<EventKind, AtRestore>> = lacking
    expect(Object.keys(whole)).toHaveLength(Object.keys(atRestore).length - 1)
    expect(Object.keys(atRestore).sort()).toEqual(Object.keys(packKinds).sort())
  })

  test.each(answers)('has an answer for %s', (kind, at) => {
    const sides = ['carried', 'left', 'with', 'nothing'].filter((side) => side in at)
    expect(sides).toHaveLength(1)
    if ('with' in at) for (const other of at.with) expect(atRestore[other]).toHaveProperty('left')
    const found = sinceEvent(historyOf([kind]), 0)
    expect(found).toEqual({
      holds: 'carried' in at && at.carried === 'copy' ? 1 : 0,
      left: 'left' in at ? { [at.left]: 1 } : {}
    })
    // Whatever is neither named nor carried over says why; nothing that a person states about somebody may.
    if ('nothing' in at) expect(stated).not.toContain(kind)
  })

  test('counts what the backup has the beginning of, and each record and batch once', () => {
    const history = historyOf(['batch.made', 'record.begun'], 1)
    // The answer to what was in progress then.
    expect(add(history, 'record.ended', 1)).toMatchObject({ verifications: 1 })
    expect(add(history, 'record.begun', 2)).toMatchObject({ verifications: 2 })
    expect(add(history, 'record.ended', 2)).toMatchObject({ verifications: 2 })
    expect(add(history, 'batch.changed', 1)).toMatchObject({ batches: 1 })
    expect(add(history, 'batch.changed', 1)).toMatchObject({ batches: 1 })
    expect(add(history, 'batch.made', 2)).toMatchObject({ batches: 2 })
    expect(add(history, 'batch.resolved', 1)).toEqual({ verifications: 2, batches: 2, resolutions: 1 })
  })

  test('has legal holds, erasures and what is in other places carried over', () => {
    const carried = Object.entries(atRestore)
      .filter(([, at]) => 'carried' in at)
      .map(([kind]) => kind)
    expect(carried).toEqual(
      expect.arrayContaining(['hold.placed', 'hold.lifted', 'subject.erased', 'copies.cleared', 'setting.changed'])
    )
  })

  test('has words for all that stays behind, and names only what there is', () => {
    const named = answers.flatMap(([, at]) => ('left' in at ? [at.left] : []))
    expect(new Set(named)).toEqual(new Set(Object.keys(leftBehind)))
    for (const name of Object.keys(leftBehind) as LeftBehind[])
      expect(sinceBackupText({ holds: 0, left: { [name]: 2 } }, plural)).toEqual([
        `Recorded after the backup, and only in the files that are set aside: 2 ${leftBehind[name][1]}.`
      ])
    expect(sinceBackupText({ holds: 3, left: {} }, plural)).toEqual([
      'No work was recorded after the backup.',
      'Legal holds that were placed or lifted after the backup are carried over.'
    ])
    expect(sinceBackupText({ holds: 0, left: { verifications: 1, decisions: 2 } }, plural)[0]).toContain(
      '1 verification and 2 decisions.'
    )
    expect(sinceBackupText(null, plural)).toEqual([expect.stringContaining('cannot be determined')])
  })
})
