/**
 * Damage to the audit trail, done as one would who has the keys: straight in the SQLite files, with the
 * chain computed anew where that helps. Each kind must be found by a verification.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditNote } from '#core/audit/notes.ts'
import type { Engine } from '#core/history/engine.ts'
import { openFile, type Db } from '#core/history/files.ts'
import { eventHash, type ChainedEvent } from '#core/history/chain.ts'
import { fileNames } from '#core/history/files.ts'
import { derivedKey } from '#core/history/seal.ts'
import { Subjects } from '#core/history/subjects.ts'
import { Walk } from '#core/history/audit-walk.ts'
import type { Writer } from '#core/history/writer.ts'
import type { KnownHead, WalkState, WalkStep } from '#core/audit/walk.ts'
import { add, answer, connectionNamed, lost, opened, testKey } from '../../tests/service/history-fixtures.ts'

/** Numbers that look random and are the same each time. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const by = { at: 1_760_000_100_000, operator: 'tester' }

/** A small history with something of everything. */
export function furnished(engine: Engine): void {
  const note = (one: AuditNote): void => void engine.commit([(writer) => engine.audit.note(writer, one)])
  const passport = add(engine, { operation: 'validate-passport' }, answer('Passport read'))
  for (let n = 0; n < 24; n += 1) {
    const parts = { applicant: `APP-${n % 6}`, startedAt: 1_760_000_000_000 + n, connection: connectionNamed(n % 2 ? 'One' : 'Two') }
    add(engine, parts, n % 5 === 4 ? lost : answer(`Reply ${n % 3}`))
  }
  engine.commit([
    (writer: Writer) => engine.applicants.note(writer, 'APP-1', 'a note', by),
    (writer: Writer) => engine.applicants.tag(writer, 'APP-1', ['pep'], by),
    (writer: Writer) => engine.applicants.link(writer, passport, 'APP-1', by)
  ])
  const shown = engine.applicants.read.show('APP-1')
  if (!shown.ok) throw new Error('no applicant')
  const decision = { applicantId: 'APP-1', decision: 'decline', reasons: ['suspected-fraud'], note: 'no', evidence: shown.value.evidence } as const
  engine.commit([(writer: Writer) => engine.applicants.decide(writer, { ...decision, reasons: [...decision.reasons] }, by)])
  note({ ...by, kind: 'view.opened', plain: { what: 'record' }, about: { recordId: passport } })
  note({ ...by, kind: 'setting.changed', plain: { name: 'theme', from: 'light', to: 'dark' } })
}

export interface Scene {
  readonly history: Db
  readonly subjects: Db
  /** The head that the keychain holds. */
  readonly anchor: KnownHead
  readonly size: number
}

export function openScene(folder: string, masterKey: string): Scene {
  const open = (name: 'history' | 'subjects'): Db =>
    openFile(folder, name, derivedKey(Buffer.from(masterKey, 'hex'), fileNames[name]).toString('hex'))
  const history = open('history')
  history.pragma('foreign_keys=OFF')
  history.exec('DROP TRIGGER event_never_changes; DROP TRIGGER event_never_goes')
  const last = history.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1').get() as { seq: number; hash: Buffer }
  return { history, subjects: open('subjects'), anchor: { seq: last.seq, hash: last.hash.toString('hex') }, size: last.seq }
}

/** The whole trail, walked in stretches as the program does. */
export function walkScene({ history, subjects, anchor }: Scene): Exclude<WalkStep, { kind: 'more' }> {
  const walk = new Walk(history, new Subjects(subjects))
  const own = subjects.prepare('SELECT seq, hash FROM anchor').get() as { seq: number; hash: Buffer } | undefined
  const known = [...(own ? [{ seq: own.seq, hash: own.hash.toString('hex') }] : []), anchor]
  let from: WalkState | undefined
  for (;;) {
    const step = walk.step({ from, until: walk.size, known, slice: 25 })
    if (step.kind !== 'more') return step
    from = step.state
  }
}

type Random = (below: number) => number
/** Where the first trace of the damage stands, where that is certain. */
type Trace = number | undefined

const bent = (bytes: Buffer, random: Random): Buffer => {
  const copy = Buffer.from(bytes)
  const at = random(copy.length)
  copy.writeUInt8(copy.readUInt8(at) ^ (1 << random(8)), at)
  return copy
}
const eventAt = (db: Db, seq: number): Record<string, unknown> => db.prepare('SELECT * FROM event WHERE seq = ?').get(seq) as Record<string, unknown>
const set = (db: Db, seq: number, column: string, value: unknown): void => void db.prepare(`UPDATE event SET ${column} = ? WHERE seq = ?`).run(value, seq)

/** Computes the hashes of all events from one on anew, as a forger would. */
function rechain(db: Db, from: number): void {
  const rows = db.prepare('SELECT seq, at, kind, subject, record, plain, commitment FROM event WHERE seq >= ? ORDER BY seq').all(from) as ChainedEvent[]
  let hash = from === 1 ? Buffer.alloc(32) : (eventAt(db, from - 1)['hash'] as Buffer)
  for (const row of rows) set(db, row.seq, 'hash', (hash = eventHash(hash, row)))
}

function sealedEvent(db: Db, size: number, random: Random): number {
  for (;;) {
    const seq = 1 + random(size)
    if (eventAt(db, seq)['sealed']) return seq
  }
}

/** A record with its columns, changed in one of them. */
function bendRecord(db: Db, random: Random): void {
  const last = db.prepare('SELECT max(seq) FROM record').pluck().get() as number
  const seq = 1 + random(last)
  const changes = [
    'state = (state + 1) % 5', 'status = coalesce(status, 0) + 1', 'started_at = started_at - 1', 'took = coalesce(took, 0) + 1', 'subject = subject + 1',
    'connection = 3 - connection', 'settled = coalesce(settled, 2) + 1', `batch = 'another'`, 'operation = (operation % 2) + 1', 'begun = begun + 1', 'ended = coalesce(ended, 0) + 1', 'rerun_of = randomblob(16)'
  ]
  const change = changes[random(changes.length)] ?? ''
  db.exec(`UPDATE record SET ${change} WHERE seq = ${seq}`)
}

export const damages: Readonly<Record<string, (scene: Scene, random: Random) => Trace>> = {
  'an edited event': ({ history, size }, random) => {
    const seq = 1 + random(size)
    const row = eventAt(history, seq)
    const edits: readonly (() => void)[] = [
      () => set(history, seq, 'at', (row['at'] as number) + 1 + random(1000)),
      () => set(history, seq, 'kind', row['kind'] === 'note.made' ? 'record.ended' : 'note.made'),
      () => set(history, seq, 'subject', ((row['subject'] as number | null) ?? 0) + 1),
      () => set(history, seq, 'record', ((row['record'] as number | null) ?? 0) + 1),
      () => set(history, seq, 'plain', (row['plain'] as string).replace(/[a-z0-9]/, (char) => (char === 'x' ? 'y' : 'x'))),
      () => set(history, seq, 'plain', `${row['plain'] as string} `),
      () => set(history, seq, 'hash', bent(row['hash'] as Buffer, random)),
      () => set(history, seq, 'commitment', row['commitment'] ? bent(row['commitment'] as Buffer, random) : Buffer.alloc(32, 1))
    ]
    edits[random(edits.length)]?.()
    return seq
  },
  'an edited event with its chain computed anew': ({ history, size }, random) => {
    const seq = 1 + random(size)
    set(history, seq, 'at', (eventAt(history, seq)['at'] as number) + 1)
    rechain(history, seq)
    return undefined
  },
  'a changed sealed part': ({ history, size }, random) => {
    const seq = sealedEvent(history, size, random)
    set(history, seq, 'sealed', random(8) === 0 ? null : bent(eventAt(history, seq)['sealed'] as Buffer, random))
    return seq
  },
  'a sealed part put in the place of another': ({ history, size }, random) => {
    const [one, other] = [sealedEvent(history, size, random), sealedEvent(history, size, random)]
    if (one === other) set(history, one, 'sealed', Buffer.alloc(60))
    else set(history, one, 'sealed', eventAt(history, other)['sealed'])
    return one
  },
  'deleted events': ({ history, size }, random) => {
    const first = 1 + random(size - 1)
    const last = Math.min(size - 1, first + random(3))
    history.prepare('DELETE FROM event WHERE seq BETWEEN ? AND ?').run(first, last)
    return first
  },
  'a deleted event, the others moved up and chained anew': ({ history, size }, random) => {
    const seq = 1 + random(size - 1)
    history.prepare('DELETE FROM event WHERE seq = ?').run(seq)
    for (let next = seq + 1; next <= size; next += 1) history.prepare('UPDATE event SET seq = seq - 1 WHERE seq = ?').run(next)
    rechain(history, seq)
    return undefined
  },
  'two events exchanged': ({ history, size }, random) => {
    const first = 1 + random(size - 1)
    const second = first + 1 + random(size - first)
    const move = history.prepare('UPDATE event SET seq = ? WHERE seq = ?')
    for (const [to, from] of [[-1, first], [first, second], [second, -1]] as const) move.run(to, from)
    return first
  },
  'a cut tail': ({ history, size }, random) => {
    const kept = random(size)
    history.prepare('DELETE FROM event WHERE seq > ?').run(kept)
    return undefined
  },
  'both files rolled back': ({ history, subjects, size }, random) => {
    const kept = 1 + random(size - 1)
    history.prepare('DELETE FROM event WHERE seq > ?').run(kept)
    history.prepare('DELETE FROM record WHERE begun > ?').run(kept)
    history.prepare('UPDATE record SET ended = NULL, state = 0, status = NULL, took = NULL WHERE ended > ?').run(kept)
    history.prepare('UPDATE record SET settled = NULL WHERE settled > ?').run(kept)
    subjects.prepare('UPDATE anchor SET seq = ?, hash = ?').run(kept, eventAt(history, kept)['hash'])
    return kept
  },
  'an event before the first': ({ history }, random) => {
    const row = eventAt(history, 1)
    history
      .prepare('INSERT INTO event (seq, at, kind, plain, hash) VALUES (?, ?, ?, ?, ?)')
      .run(-random(5), row['at'], 'note.made', '{}', row['hash'])
    return 0
  },
  'a changed record of the list': ({ history }, random) => {
    bendRecord(history, random)
    return undefined
  },
  'a record taken from the list, or put into it': ({ history }, random) => {
    const last = history.prepare('SELECT max(seq) FROM record').pluck().get() as number
    const seq = 1 + random(last)
    if (random(2) === 0) history.prepare('DELETE FROM record WHERE seq = ?').run(seq)
    else history.exec(`INSERT INTO record SELECT ${last + 1}, randomblob(16), subject, operation, connection, state, status, started_at, took, begun, ended, settled, batch, rerun_of, message FROM record WHERE seq = ${seq}`)
    return undefined
  },
  'a changed reply': ({ history }, random) => {
    const records = history.prepare('SELECT record FROM reply_body').pluck().all() as number[]
    const record = records[random(records.length)] ?? 0
    const sealed = history.prepare('SELECT sealed FROM reply_body WHERE record = ?').pluck().get(record) as Buffer
    if (random(4) === 0) history.prepare('DELETE FROM reply_body WHERE record = ?').run(record)
    else history.prepare('UPDATE reply_body SET sealed = ? WHERE record = ?').run(bent(sealed, random), record)
    return undefined
  },
  'a renamed connection of the past': ({ history }) => {
    history.exec(`UPDATE connection SET snapshot = replace(snapshot, 'kyc.example.com', 'kyc.example.org')`)
    return undefined
  },
  'a decision taken from its applicant': ({ history }) => {
    history.exec('UPDATE applicant SET decision = NULL WHERE decision IS NOT NULL')
    return undefined
  }
}

export interface DamageReport {
  readonly tried: number
  readonly found: number
  /** Kinds of damage that went unseen or were found at another place, with the seed's turn. */
  readonly missed: readonly string[]
}

/** Does damage so many times, each undone afterwards, and counts what a verification finds. */
export function proveTrail(scene: Scene, times: number, seed = 1): DamageReport {
  const random = seeded(seed)
  const kinds = Object.entries(damages)
  const missed: string[] = []
  for (let turn = 0; turn < times; turn += 1) {
    const [name, damage] = kinds[turn % kinds.length] ?? ['', () => undefined]
    for (const db of [scene.history, scene.subjects]) db.exec('BEGIN')
    try {
      const trace = damage(scene, random)
      const step = walkScene(scene)
      if (step.kind === 'whole') missed.push(`${name} (turn ${turn}) went unseen`)
      else if (trace !== undefined && step.broken.at !== trace) missed.push(`${name} (turn ${turn}) at ${trace} was found at ${step.broken.at}: ${step.broken.words}`)
    } finally {
      for (const db of [scene.history, scene.subjects]) db.exec('ROLLBACK')
    }
  }
  return { tried: times, found: times - missed.length, missed }
}

/** The proof for the page: a history of its own, damaged so many times. Sets a bad exit code where anything went unseen. */
export function trailSection(times: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-prove-trail-'))
  try {
    const engine = opened(folder)
    furnished(engine)
    engine.close()
    const scene = openScene(folder, testKey)
    const { tried, found, missed } = proveTrail(scene, times)
    const { size } = scene
    scene.history.close()
    scene.subjects.close()
    for (const one of missed) process.stderr.write(`${one}\n`)
    if (missed.length > 0) process.exitCode = 1
    return [
      '## The audit trail under damage',
      '',
      `Each time one change is made straight in the SQLite files of a history of ${size} events, with their keys; a verification must find it, and where its place is certain, name it. Kinds: ${Object.keys(damages).join('; ')}.`,
      '',
      '| changes | found | unseen or misplaced |',
      '|--:|--:|--:|',
      `| ${tried.toLocaleString('en')} | ${found.toLocaleString('en')} | ${missed.length} |`,
      ''
    ].join('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
