/**
 * A small history with some data of every kind, its files opened without the application, and the verification of them.
 */
import type { AuditNote } from '#wire/history/audit-notes.ts'
import type { Engine } from '#store/engine/engine.ts'
import { fileNames, openFile, type Db } from '#wire/sqlite/files.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { Subjects } from '#store/storage/subjects.ts'
import { Walk } from '#store/audit/walk.ts'
import type { Writer } from '#store/records/writer.ts'
import type { KnownHead, WalkState, WalkStep } from '#wire/history/audit-walk.ts'
import { add, answer, connectionNamed, lost } from '../history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }

/** A small history with some data of every kind. */
export function furnished(engine: Engine): void {
  const note = (one: AuditNote): void => void engine.commit([(writer) => engine.audit.note(writer, one)])
  const passport = add(engine, { operation: 'validate-passport' }, answer('Passport read'))
  for (let n = 0; n < 24; n += 1) {
    const parts = {
      applicant: `APP-${n % 6}`,
      startedAt: 1_760_000_000_000 + n,
      connection: connectionNamed(n % 2 ? 'One' : 'Two')
    }
    add(engine, parts, n % 5 === 4 ? lost : answer(`Reply ${n % 3}`))
  }
  engine.commit([
    (writer: Writer) => engine.applicants.note(writer, 'APP-1', 'a note', by),
    (writer: Writer) => engine.applicants.tag(writer, 'APP-1', ['pep'], by),
    (writer: Writer) => engine.applicants.link(writer, passport, 'APP-1', by)
  ])
  const shown = engine.applicants.read.show('APP-1')
  if (!shown.ok) throw new Error('no applicant')
  const decision = {
    applicantId: 'APP-1',
    decision: 'decline',
    reasons: ['suspected-fraud'],
    note: 'no',
    evidence: shown.value.evidence
  } as const
  engine.commit([
    (writer: Writer) => engine.applicants.decide(writer, { ...decision, reasons: [...decision.reasons] }, by)
  ])
  note({ ...by, kind: 'view.opened', plain: { what: 'record' }, about: { recordId: passport } })
  note({ ...by, kind: 'setting.changed', plain: { name: 'theme', from: 'light', to: 'dark' } })
}

export interface Scene {
  readonly history: Db
  readonly subjects: Db
  /** The head stored in the keychain. */
  readonly anchor: KnownHead
  readonly size: number
}

export function openScene(folder: string, masterKey: string): Scene {
  const open = (name: 'history' | 'subjects'): Db =>
    openFile(folder, name, derivedKey(Buffer.from(masterKey, 'hex'), fileNames[name]).toString('hex'))
  const history = open('history')
  const last = history.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1').get() as {
    seq: number
    hash: Buffer
  }
  return sceneOf({ history, subjects: open('subjects') }, { seq: last.seq, hash: last.hash.toString('hex') })
}

/** Removes the triggers that keep these two files from being changed. */
export function sceneOf({ history, subjects }: Pick<Scene, 'history' | 'subjects'>, anchor: KnownHead): Scene {
  history.pragma('foreign_keys=OFF')
  history.exec('DROP TRIGGER IF EXISTS event_never_changes; DROP TRIGGER IF EXISTS event_never_goes')
  return { history, subjects, anchor, size: anchor.seq }
}

/** The heads that the chain must contain. */
export function headsOf({ subjects, anchor }: Pick<Scene, 'subjects' | 'anchor'>): KnownHead[] {
  const own = subjects.prepare('SELECT seq, hash FROM anchor').get() as { seq: number; hash: Buffer } | undefined
  return [...(own ? [{ seq: own.seq, hash: own.hash.toString('hex') }] : []), anchor]
}

/** Verifies the whole audit trail in slices of `slice` milliseconds. */
export function walkScene({ history, subjects, anchor }: Scene, slice = 25): Exclude<WalkStep, { kind: 'more' }> {
  const walk = new Walk({ history, subjects }, new Subjects(subjects))
  const known = headsOf({ subjects, anchor })
  let from: WalkState | undefined
  for (;;) {
    const step = walk.step({ from, until: walk.size, known, slice })
    if (step.kind !== 'more') return step
    from = step.state
  }
}
