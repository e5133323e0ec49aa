/** Which events belong to connections that are not shared with a team. */
import { describe, expect, it } from 'vitest'
import { contentOf, readContent } from '#team/log/content.ts'
import { sharesSealed } from '#team/log/shared-kinds.ts'
import { answer } from '../service/history-fixtures.ts'
import { by, colleague, type Colleague } from './support/team-activity.ts'

const at = 1_760_000_000_000
const connection = (id: string, name: string) => ({
  id,
  name,
  origin: 'https://kyc.example.com',
  mode: 'sandbox' as const,
  colour: 'blue' as const,
  mark: 'K'
})
const [open, kept] = [
  connection('00000000-0000-4000-8000-00000000000a', 'Shared'),
  connection('00000000-0000-4000-8000-00000000000b', 'Kept')
]
/** The kinds of the events whose values would leave, in order. */
const leaving = ({ engine }: Colleague): readonly string[] =>
  engine.outgoing
    .page({ after: 0, events: 1000, bytes: 1e9, kept: [kept.id] }, engine.last)
    .events.filter((event) => event.kept !== true)
    .map(({ kind }) => kind)
const oneNamed = (): Colleague => colleague('Ben Okoro')

describe('what stays here', () => {
  it('is a check over a connection that is not shared, its response and message, and what is about its applicant alone', () => {
    const ben = oneNamed()
    ben.check({ applicant: 'APP-1', connection: kept, startedAt: at }, answer('Only here'))
    ben.write((writer) => ben.engine.applicants.note(writer, 'APP-1', 'Nobody else’s concern', by(at + 1)))
    expect(leaving(ben)).toEqual([])
    ben.check({ applicant: 'APP-2', connection: open, startedAt: at + 2 }, answer('Everywhere'))
    expect(leaving(ben)).toEqual(['connection.noted', 'record.begun', 'message.noted', 'record.ended'])
  })

  it('is not an applicant who was checked over a connection that is shared, too', () => {
    const ben = oneNamed()
    ben.check({ applicant: 'APP-1', connection: kept, startedAt: at })
    ben.check({ applicant: 'APP-1', connection: open, startedAt: at + 1 })
    ben.write((writer) => ben.engine.applicants.note(writer, 'APP-1', 'For all', by(at + 2)))
    expect(leaving(ben)).toContain('note.made')
    expect(leaving(ben).filter((kind) => kind === 'record.begun')).toHaveLength(1)
  })

  it('is an applicant whose only check was linked and is not any more', () => {
    const ben = oneNamed()
    const id = ben.check({ operation: 'validate-kyc-photo', connection: kept, startedAt: at })
    ben.write((writer) => ben.engine.applicants.link(writer, id, 'APP-1', by(at + 1)))
    ben.write((writer) => ben.engine.applicants.note(writer, 'APP-1', 'Nobody else’s concern', by(at + 2)))
    ben.write((writer) => ben.engine.applicants.unlink(writer, id, by(at + 3)))
    expect(leaving(ben)).toEqual([])
  })

  it('is the reason of an erasure, but not the erasure', () => {
    const event = { kind: 'subject.erased' } as const
    expect([
      sharesSealed(event),
      sharesSealed({ kind: 'note.made' }),
      sharesSealed({ kind: 'note.made', kept: true })
    ]).toEqual([false, true, false])
    const ben = oneNamed()
    ben.check({ applicant: 'APP-1', connection: open, startedAt: at })
    const [first] = ben.engine.outgoing.page({ after: 1, events: 1, bytes: 1e9, kept: [] }, ben.engine.last).events
    if (!first) throw new Error('no event')
    const content = readContent(contentOf({ ...first, kind: 'subject.erased' }))
    expect(content).toMatchObject({ kind: 'subject.erased', sealed: null, plain: { text: first.plain } })
  })
})
