/**
 * Changes to the audit trail by someone with the keys: directly in the SQLite files, with the chain recomputed where
 * that helps.
 */
import type { Db } from '#wire/sqlite/files.ts'
import { eventHash } from '#wire/history/chain.ts'
import type { ChainedEvent } from '#wire/history/events.ts'
import { bent, type Random } from './random.ts'
import type { Scene } from './trail-scene.ts'

/** The first trace of the damage, if it is certain. */
type Trace = number | undefined

const eventAt = (db: Db, seq: number): Record<string, unknown> =>
  db.prepare('SELECT * FROM event WHERE seq = ?').get(seq) as Record<string, unknown>
const set = (db: Db, seq: number, column: string, value: unknown): void =>
  void db.prepare(`UPDATE event SET ${column} = ? WHERE seq = ?`).run(value, seq)

/** Recomputes the hashes of all events from one on, as a forger would. */
export function rechain(db: Db, from: number): void {
  const rows = db
    .prepare('SELECT seq, at, kind, subject, record, links, digests FROM event WHERE seq >= ? ORDER BY seq')
    .all(from) as Omit<ChainedEvent, 'plain'>[]
  let hash = from === 1 ? Buffer.alloc(32) : (eventAt(db, from - 1)['hash'] as Buffer)
  for (const row of rows) set(db, row.seq, 'hash', (hash = eventHash(hash, row)))
}

function sealedEvent(db: Db, size: number, random: Random): number {
  for (;;) {
    const seq = 1 + random(size)
    if (eventAt(db, seq)['sealed']) return seq
  }
}

/** A record with one of its columns changed. */
function bendRecord(db: Db, random: Random): void {
  const last = db.prepare('SELECT max(seq) FROM record').pluck().get() as number
  const seq = 1 + random(last)
  const changes = [
    'state = (state + 1) % 5',
    'status = coalesce(status, 0) + 1',
    'started_at = started_at - 1',
    'took = coalesce(took, 0) + 1',
    'subject = subject + 1',
    'connection = 3 - connection',
    'operator = 1 - operator',
    'resolved = coalesce(resolved, 2) + 1',
    `batch = 'another'`,
    'operation = (operation % 2) + 1',
    'begun = begun + 1',
    'ended = coalesce(ended, 0) + 1',
    'rerun_of = randomblob(16)'
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
      () =>
        set(
          history,
          seq,
          'plain',
          (row['plain'] as string).replace(/[a-z0-9]/, (char) => (char === 'x' ? 'y' : 'x'))
        ),
      () => set(history, seq, 'plain', `${row['plain'] as string} `),
      () => set(history, seq, 'hash', bent(row['hash'] as Buffer, random)),
      () => set(history, seq, 'links', row['links'] === '{}' ? '{"subject":[1,0]}' : '{}'),
      () => set(history, seq, 'digests', bent(row['digests'] as Buffer, random)),
      () => (random(2) === 0 ? set(history, seq, 'links', '') : set(history, seq, 'digests', Buffer.alloc(0))),
      // The digest of a sealed part taken, or invented.
      () => {
        const digests = row['digests'] as Buffer
        const other = digests.length > 48 ? digests.subarray(0, 48) : Buffer.concat([digests, Buffer.alloc(32, 1)])
        set(history, seq, 'digests', other)
      }
    ]
    edits[random(edits.length)]?.()
    return seq
  },
  'an edited event with a recomputed chain': ({ history, size }, random) => {
    const seq = 1 + random(size)
    set(history, seq, 'at', (eventAt(history, seq)['at'] as number) + 1)
    rechain(history, seq)
    return undefined
  },
  'changed values under the recorded digests': ({ history, size }, random) => {
    const seq = 1 + random(size)
    const plain = eventAt(history, seq)['plain'] as string
    const edits = [
      plain.replace(/[a-z0-9]/, (char) => (char === 'x' ? 'y' : 'x')),
      `${plain} `,
      plain.replace('{', '{ '),
      // The first of two is read by SQLite, the second by JavaScript.
      plain.replace(/\{("[a-z]+":)/i, '{$1null,$1'),
      plain.replace(/\}$/, ',"more":1}'),
      '{}',
      '[]',
      ''
    ].filter((edit) => edit !== plain)
    set(history, seq, 'plain', edits[random(edits.length)])
    return seq
  },
  'a changed sealed part': ({ history, size }, random) => {
    const seq = sealedEvent(history, size, random)
    set(history, seq, 'sealed', random(8) === 0 ? null : bent(eventAt(history, seq)['sealed'] as Buffer, random))
    return seq
  },
  'a sealed part replaced by another one': ({ history, size }, random) => {
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
  'a deleted event, the others renumbered and the chain recomputed': ({ history, size }, random) => {
    const seq = 1 + random(size - 1)
    history.prepare('DELETE FROM event WHERE seq = ?').run(seq)
    for (let next = seq + 1; next <= size; next += 1)
      history.prepare('UPDATE event SET seq = seq - 1 WHERE seq = ?').run(next)
    rechain(history, seq)
    return undefined
  },
  'two events swapped': ({ history, size }, random) => {
    const first = 1 + random(size - 1)
    const second = first + 1 + random(size - first)
    const move = history.prepare('UPDATE event SET seq = ? WHERE seq = ?')
    for (const [to, from] of [
      [-1, first],
      [first, second],
      [second, -1]
    ] as const)
      move.run(to, from)
    return first
  },
  'a truncated end': ({ history, size }, random) => {
    const kept = random(size)
    history.prepare('DELETE FROM event WHERE seq > ?').run(kept)
    return undefined
  },
  'both files rolled back': ({ history, subjects, size }, random) => {
    const kept = 1 + random(size - 1)
    history.prepare('DELETE FROM event WHERE seq > ?').run(kept)
    history.prepare('DELETE FROM record WHERE begun > ?').run(kept)
    history.prepare('UPDATE record SET ended = NULL, state = 0, status = NULL, took = NULL WHERE ended > ?').run(kept)
    history.prepare('UPDATE record SET resolved = NULL WHERE resolved > ?').run(kept)
    subjects.prepare('UPDATE anchor SET seq = ?, hash = ?').run(kept, eventAt(history, kept)['hash'])
    return kept
  },
  'the key file rolled back': ({ history, subjects }, random) => {
    const last = history.prepare('SELECT max(subject) FROM event').pluck().get() as number
    const kept = random(last)
    subjects.prepare('DELETE FROM message WHERE subject > ?').run(kept)
    subjects.prepare('DELETE FROM subject WHERE ref > ?').run(kept)
    subjects.prepare(`UPDATE sqlite_sequence SET seq = ? WHERE name = 'subject'`).run(kept)
    return history.prepare('SELECT min(seq) FROM event WHERE subject > ?').pluck().get(kept) as number
  },
  'a key removed from its file manually': ({ history, subjects }, random) => {
    const named = history
      .prepare('SELECT DISTINCT subject FROM event WHERE subject IS NOT NULL')
      .pluck()
      .all() as number[]
    const subject = named[random(named.length)] ?? 0
    subjects.prepare('DELETE FROM message WHERE subject = ?').run(subject)
    subjects.prepare('DELETE FROM subject WHERE ref = ?').run(subject)
    return history.prepare('SELECT min(seq) FROM event WHERE subject = ?').pluck().get(subject) as number
  },
  'an event before the first': ({ history }, random) => {
    const row = eventAt(history, 1)
    history
      .prepare('INSERT INTO event (seq, at, kind, plain, hash, links, digests) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(-random(5), row['at'], 'note.made', '{}', row['hash'], '{}', row['digests'])
    return 0
  },
  'a changed record in the list': ({ history }, random) => {
    bendRecord(history, random)
    return undefined
  },
  'a record removed from or added to the list': ({ history }, random) => {
    const last = history.prepare('SELECT max(seq) FROM record').pluck().get() as number
    const seq = 1 + random(last)
    if (random(2) === 0) history.prepare('DELETE FROM record WHERE seq = ?').run(seq)
    else
      history.exec(
        `INSERT INTO record SELECT ${last + 1}, randomblob(16), subject, operation, connection, operator, state, status, started_at, took, begun, ended, resolved, batch, rerun_of, message FROM record WHERE seq = ${seq}`
      )
    return undefined
  },
  'a changed list of series': ({ history }, random) => {
    const subjects = history.prepare('SELECT subject FROM subject_series').pluck().all() as number[]
    const changes = [
      'SET count = count + 1',
      'SET count = count - 1',
      'SET last = last - 1',
      'SET last = before, count = count - 1'
    ]
    history.exec(
      `UPDATE subject_series ${changes[random(changes.length)] ?? ''} WHERE subject = ${subjects[random(subjects.length)] ?? 0}`
    )
    return undefined
  },
  'a changed response': ({ history }, random) => {
    const records = history.prepare('SELECT record FROM reply_body').pluck().all() as number[]
    const record = records[random(records.length)] ?? 0
    const sealed = history.prepare('SELECT sealed FROM reply_body WHERE record = ?').pluck().get(record) as Buffer
    if (random(4) === 0) history.prepare('DELETE FROM reply_body WHERE record = ?').run(record)
    else history.prepare('UPDATE reply_body SET sealed = ? WHERE record = ?').run(bent(sealed, random), record)
    return undefined
  },
  'a renamed past connection': ({ history }) => {
    history.exec(`UPDATE connection SET snapshot = replace(snapshot, 'kyc.example.com', 'kyc.example.org')`)
    return undefined
  },
  'a decision removed from its applicant': ({ history }) => {
    history.exec('UPDATE applicant SET decision = NULL WHERE decision IS NOT NULL')
    return undefined
  }
}
