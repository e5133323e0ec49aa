/** A response that a damaged history lost or exchanged: a pack about it is damage with a name, not a pack that nobody can verify. */
import { expect, test } from 'vitest'
import { fileNames, openFile } from '#wire/sqlite/files.ts'
import type { Writer } from '#store/records/writer.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import { add, answer, inFolder, intentOf, opened, packOf, testKey } from './history-fixtures.ts'

const key = derivedKey(Buffer.from(testKey, 'hex'), fileNames.history).toString('hex')

test.each([
  ['lost', 'DELETE FROM reply_body WHERE record = 1'],
  ['exchanged', 'UPDATE reply_body SET sealed = (SELECT sealed FROM reply_body WHERE record = 2) WHERE record = 1']
])('a response that was %s', (_, sql) =>
  inFolder((folder) => {
    const first = opened(folder)
    const [id] = ['First', 'Second'].map((message) => add(first, { applicant: 'APP-1' }, answer(message)))
    const begun = first.commit(
      Array.from({ length: 600 }, () => (writer: Writer) => writer.begin(intentOf({ applicant: 'APP-2' })))
    )
    first.commit(begun.map((one) => (writer: Writer) => writer.finish(one.ok ? one.value.id : '', answer())))
    first.close()
    const db = openFile(folder, 'history', key)
    db.exec(sql)
    db.close()
    const engine = opened(folder)
    try {
      expect(() => packOf(engine, { kind: 'record', id: id ?? '' })).toThrow(
        expect.objectContaining({ damage: { reason: 'reply-changed', number: 1 } })
      )
      expect(packOf(engine, { kind: 'applicant', id: 'APP-2' })).toMatchObject({ records: 600 })
    } finally {
      engine.close()
    }
  })
)
