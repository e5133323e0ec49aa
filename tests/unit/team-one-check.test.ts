/** One check of a colleague to read, and checks of applicants whose IDs begin with a text. */
import { describe, expect, it } from 'vitest'
import { seal } from '#kit/sealing/seal.ts'
import { bodyPurpose } from '#wire/history/record-payloads.ts'
import { startingStatement } from '#exchange/activity/activity.ts'
import { answer } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile } from './support/team-activity.ts'

describe('a check of a colleague', () => {
  it('has what was sent and what the service answered', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1' }, answer('Fine'))
    ben.share(ours)
    const [entry] = ours.page().entries
    const check = ours.reading.check({ installation: ben.installation, seq: entry?.seq ?? 0 }, ours.names)
    expect(check).toMatchObject({
      entry: { member: 'Ben', applicantId: 'A-1', what: { kind: 'check', outcome: 'answered' } },
      reply: { body: answer('Fine').reply?.body }
    })
    expect(Object.values(check?.input ?? {})).toContain('A-1')
  })

  it('has neither without the key of its applicant', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1' })
    ben.share(ours, false)
    const [entry] = ours.page().entries
    const check = ours.reading.check({ installation: ben.installation, seq: entry?.seq ?? 0 }, ours.names)
    expect(check).toMatchObject({ entry: { closed: 'awaited' } })
    expect(check?.input).toBeUndefined()
    expect(check?.reply?.body).toBeUndefined()
  })

  it('is none of another kind, and of no installation', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    ben.check({ applicant: 'A-1' })
    ben.write((writer) => ben.engine.applicants.note(writer, 'A-1', 'text', by(5000)))
    ben.share(ours)
    const note = ours.page({ kinds: ['note'] }).entries[0]
    for (const seq of [note?.seq ?? 0, 0, 99, 2 ** 39])
      expect(ours.reading.check({ installation: ben.installation, seq }, ours.names)).toBeUndefined()
    expect(ours.reading.check({ installation: 'ab'.repeat(16), seq: 1 }, ours.names)).toBeUndefined()
  })

  it('shows no response that its event does not cover', () => {
    const ours = here()
    const one = hostile(ours, (key) => [
      {
        kind: 'record.begun',
        record: 1,
        plain: { operation: 'validate-passport', operator: 'm' },
        sealed: { input: { id_url: 'x'.repeat(20_000) } }
      },
      {
        kind: 'record.ended',
        record: 1,
        plain: { outcome: 'answered', reply: { status: 200, bytes: 3, truncated: false, values: 'ab'.repeat(32) } },
        sealed: {},
        // It opens, but has other values.
        reply: seal(key, bodyPurpose, '{"body":"Invented"}').sealed
      }
    ])
    const check = ours.reading.check({ installation: one.installation, seq: 1 }, ours.names)
    expect(check?.input?.['id_url']).toHaveLength(10_000)
    expect(check?.reply).toEqual({ bytes: 3, truncated: false })
  })
})

describe('checks of applicants', () => {
  it('are found by the beginning of the ID, by kind and by installation, in pages', () => {
    const [ours, ben, carla] = [here(), colleague('Ben'), colleague('Carla')]
    for (let n = 1; n <= 5; n += 1) ben.check({ applicant: `A-1${n}`, startedAt: 1000 * n })
    ben.write((writer) => ben.engine.applicants.note(writer, 'A-11', 'text', by(9000)))
    ben.check({ applicant: 'B-1' })
    carla.check({ applicant: 'A-12', startedAt: 2500 })
    ben.share(ours)
    carla.share(ours)
    const found = (applicant: string, more: object = {}): unknown[] =>
      ours.walk({ applicant, kinds: ['check'], ...more }).map(({ applicantId, member }) => `${applicantId} ${member}`)
    expect(found('A-1')).toEqual(['A-15 Ben', 'A-14 Ben', 'A-13 Ben', 'A-12 Carla', 'A-12 Ben', 'A-11 Ben'])
    expect(found('A-12', { installation: carla.installation })).toEqual(['A-12 Carla'])
    expect(found('a-1')).toEqual(found('A-1'))
    expect(found('Ａ-12')).toEqual(found('A-12'))
    expect(found('á-13')).toEqual(['A-13 Ben'])
    expect(found('%')).toEqual([])
    expect(ours.walk({ applicant: 'A-11' }).map(({ what }) => what.kind)).toEqual(['note', 'check'])
  })

  it('are found through an index', () => {
    const ours = here()
    const plan = JSON.stringify(ours.db.prepare(`EXPLAIN QUERY PLAN ${startingStatement}`).all('a', 'b'))
    expect(plan).toContain('subject_likeness')
    expect(plan).not.toContain('TEMP B-TREE')
  })
})
