/** What becomes of each kind of event at a restore: one list, on which no kind is missing. */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { leftBehind, sinceBackupText, type LeftBehind } from '#contract/data-management/since-backup.ts'
import { packKinds } from '#core/evidence/kinds.ts'
import { atRestore, type AtRestore } from '#store/events/at-restore.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'

const plural = (amount: number, one: string, several: string): string => `${amount} ${amount === 1 ? one : several}`

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

  test('has legal holds, erasures and what is in other places carried over', () => {
    const carried = Object.entries(atRestore)
      .filter(([, at]) => 'carried' in at)
      .map(([kind]) => kind)
    expect(carried).toEqual(
      expect.arrayContaining(['hold.placed', 'hold.lifted', 'subject.erased', 'copies.cleared', 'setting.changed'])
    )
  })

  test('has words for all that stays behind, and names only what there is', () => {
    const named = Object.values(atRestore).flatMap((at: AtRestore) =>
      'left' in at && at.left !== 'nothing' && !('part' in at) ? [at.left] : []
    )
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
