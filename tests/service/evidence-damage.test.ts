/** A response that a damaged history lost or exchanged: a pack about it is damage with a name, not a pack that nobody can verify. */
import { expect, test } from 'vitest'
import { fileNames, openFile } from '#core/history/storage/files.ts'
import { derivedKey } from '#core/history/storage/seal.ts'
import { add, answer, inFolder, opened, testKey } from './history-fixtures.ts'

const key = derivedKey(Buffer.from(testKey, 'hex'), fileNames.history).toString('hex')

test.each([
  ['lost', 'DELETE FROM reply_body WHERE record = 1'],
  ['exchanged', 'UPDATE reply_body SET sealed = (SELECT sealed FROM reply_body WHERE record = 2) WHERE record = 1']
])('a response that was %s', (_, sql) =>
  inFolder((folder) => {
    const first = opened(folder)
    const [id] = ['First', 'Second'].map((message) => add(first, { applicant: 'APP-1' }, answer(message)))
    for (let n = 0; n < 600; n += 1) add(first, { applicant: 'APP-2' })
    first.close()
    const db = openFile(folder, 'history', key)
    db.exec(sql)
    db.close()
    const engine = opened(folder)
    try {
      expect(() => engine.evidence.collect({ kind: 'record', id: id ?? '' })).toThrow(expect.objectContaining({ damage: { reason: 'reply-changed', number: 1 } }))
      expect(engine.evidence.collect({ kind: 'applicant', id: 'APP-2' })).toMatchObject({ ok: true })
    } finally {
      engine.close()
    }
  })
)
