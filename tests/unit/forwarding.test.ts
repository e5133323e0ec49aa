/** What leaves with log forwarding: the listed values of each kind of event and nothing else, as JSON, CEF and syslog. */
import { describe, expect, it } from 'vitest'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { auditKinds } from '#contract/evidence/event-sentences.ts'
import { forwarded, forwardedFields, type ForwardableEvent } from '#contract/forwarding/fields.ts'
import { logForwardingSchema } from '#contract/forwarding/forwarding.ts'
import { targetSentence } from '../../renderer/features/settings/forwarding-text.ts'
import { cefLine, jsonLine, syslogFrame } from '#core/forwarding/lines.ts'
import { withMark } from '#core/forwarding/positions.ts'
import { wholeEvents } from './support/whole-events.ts'

const source = '0b8f2f6e-3c1d-4c55-9a53-1e6c7f3b2d94'
const sender = { hostname: 'host-7.example', version: '1.0.0' }
const event = (kind: string, plain: object, more: Partial<ForwardableEvent> = {}): ForwardableEvent => ({
  seq: 12,
  at: Date.UTC(2026, 0, 31, 12, 0, 0, 250),
  kind,
  record: null,
  plain: JSON.stringify(plain),
  hash: 'ab'.repeat(32),
  ...more
})
const linesOf = (each: ForwardableEvent): string[] => {
  const left = forwarded(each, source)
  return [jsonLine(left), cefLine(left, sender), String(syslogFrame(left, 'cef', sender))]
}

describe('an event that leaves', () => {
  it('has only the values that the table lists for its kind', () => {
    expect(Object.keys(forwardedFields).sort()).toEqual(Object.keys(auditKinds).sort())
    for (const kind of [...Object.keys(auditKinds), 'later.kind']) {
      const listed: readonly string[] = forwardedFields[kind as 'view.opened'] ?? []
      const names = listed.map((field) => field.replace(/^[#@]/, '').split('.')[0])
      // One word, as a name or an ID of an applicant may be: it must not be the form of a value that holds it back.
      const secret = 'Dunja-4711'
      const plain = Object.fromEntries(
        [
          'name',
          'applicantId',
          'note',
          'from',
          'to',
          'reason',
          'place',
          'connection',
          'assignee',
          'message',
          'kept',
          'proxy',
          'words'
        ]
          .filter((name) => !names.includes(name))
          .map((name) => [name, secret])
      )
      for (const line of linesOf(event(kind, { ...plain, operator: 'Dunja-4711 Weiss (dweiss)' })))
        expect(line, kind).not.toMatch(/Dunja|Weiss/)
    }
  })
  it('has no text that somebody typed, even under a listed name', () => {
    for (const line of linesOf(event('view.opened', { what: 'the file of Dunja Weiss', batchId: 'a b' })))
      expect(line).not.toMatch(/Dunja|a b/)
  })
  it('says which settings and policies changed, not to what', () => {
    const [line = ''] = linesOf(
      event('policies.changed', {
        changes: { ProxyUrl: ['', 'http://dunja@proxy'] },
        places: ['/home/dunja/x'],
        inForce: 'cd'
      })
    )
    expect(JSON.parse(line)).toMatchObject({ details: { changes: 'ProxyUrl', inForce: 'cd' } })
    expect(line).not.toContain('dunja')
    expect(forwarded(event('setting.changed', { name: 'displayName', from: '', to: 'Dunja' }), source).fields).toEqual({
      name: 'displayName'
    })
  })
  it('has each value that the table lists, in the words of the code that writes it', () => {
    for (const [kind, listed] of Object.entries(forwardedFields)) {
      const left = wholeEvents[kind as EventKind].map((plain) => forwarded(event(kind, plain), source).fields)
      const names = listed.map((field) => field.replace(/^[#@]/, '').split('.').at(-1))
      expect(new Set(left.flatMap(Object.keys)), kind).toEqual(new Set(names))
    }
  })
  it('says how much of a case was in sight, and which operations a batch has', () => {
    const [decided = {}] = wholeEvents['decision.made']
    expect(forwarded(event('decision.made', decided), source).fields).toMatchObject({
      answers: '1,2',
      documents: '0,3'
    })
    const operations = ['validate-applicant-id-document', 'x']
    expect(forwarded(event('batch.made', { operations }), source).fields).toEqual({ operations: operations.join(',') })
    // Not even in part: a list of texts is none of codes.
    expect(forwarded(event('batch.made', { operations: ['x', 'Dunja Weiss'] }), source).fields).toEqual({})
  })
})

describe('a line', () => {
  const ended = event(
    'record.ended',
    { outcome: 'answered', took: 12.5, reply: { status: 200, bytes: 40, values: 'ff' } },
    { record: 3, connectionId: source }
  )
  it('is JSON in ASCII', () => {
    const line = jsonLine(forwarded(event('note.made', { operator: 'Mira (jürgen)' }), source))
    expect(line).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(line)).toEqual({
      source,
      number: 12,
      time: '2026-01-31T12:00:00.250Z',
      type: 'note.made',
      operator: 'jürgen',
      details: {},
      hash: 'ab'.repeat(32)
    })
    expect(JSON.parse(jsonLine(forwarded(ended, source)))).toMatchObject({
      record: 3,
      connection: source,
      details: { outcome: 'answered', status: 200, bytes: 40, took: 12.5 }
    })
  })
  it('is CEF with its signs escaped', () => {
    const line = cefLine(forwarded(event('note.made', { operator: 'EXAMPLE\\mira=a|b\nc' }), source), {
      ...sender,
      version: '1|0\\'
    })
    expect(
      line.startsWith('CEF:0|Veridesk|Veridesk|1\\|0\\\\|note.made|note.made|3|externalId=12 rt=1769860800250 ')
    ).toBe(true)
    expect(line).toContain(' suser=EXAMPLE\\\\mira\\=a|b\\nc ')
    expect(line).not.toContain('\n')
    expect(cefLine(forwarded(event('unlock.failed', { tries: 2 }), source), sender)).toMatch(
      /\|unlock\.failed\|unlock\.failed\|6\|.* VerideskTries=2 /
    )
  })
  it('is a frame of syslog whose octets are counted', () => {
    const frame = syslogFrame(forwarded(ended, source), 'json', { hostname: 'tür steher', version: '1"]\\' })
    const [, count = '', line = ''] = /^(\d+) ([^]*)$/.exec(String(frame)) ?? []
    expect(Buffer.byteLength(line)).toBe(Number(count))
    // Facility 13 (log audit), severity 6.
    expect(line.startsWith('<110>1 2026-01-31T12:00:00.250Z trsteher Veridesk - record.ended ')).toBe(true)
    expect(line).toContain('[meta sequenceId="12"][origin software="Veridesk" swVersion="1\\"\\]\\\\"] {')
    expect(String(syslogFrame(forwarded(event('unlock.failed', {}), source), 'json', sender))).toContain(
      ' <108>1 '.trim()
    )
  })
})

describe('the setting', () => {
  it('names a collector, a whole path, or both', () => {
    for (const good of [
      { collector: 'logs.example.com:6514' },
      { collector: '[::1]:6514', message: 'cef' },
      { file: '' },
      { file: '/var/log/x.jsonl' },
      { file: 'C:\\logs\\x' }
    ])
      expect(logForwardingSchema.safeParse(good).success, JSON.stringify(good)).toBe(true)
    for (const bad of [
      {},
      { collector: 'logs.example.com' },
      { collector: 'a:70000' },
      { collector: 'https://a:1' },
      { file: 'x.jsonl' },
      { file: '', silentMinutes: 0 }
    ])
      expect(logForwardingSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false)
  })
})

describe('a target', () => {
  const of = { target: 'collector', place: 'logs:6514', taken: 5, last: 9 } as const
  it('is described in one line', () => {
    expect(targetSentence({ ...of, taken: 9 })).toBe('The collector logs:6514 has every event, up to number 9.')
    expect(targetSentence(of)).toBe('The collector logs:6514 has the events up to number 5 of 9.')
    expect(targetSentence({ ...of, silentSince: Date.UTC(2026, 0, 31, 12) })).toMatch(
      /^The collector logs:6514 has taken no event since .*2026.*\. 4 wait in the audit trail; none is lost\.$/
    )
  })
  it('keeps few of its earlier positions, the first and the newest among them', () => {
    let marks: { seq: number; hash: string }[] = []
    for (let seq = 1; seq <= 400; seq += 1) marks = withMark(marks, { seq, hash: 'ab'.repeat(32) })
    expect(marks.length).toBeLessThanOrEqual(32)
    expect([marks[0]?.seq, marks.at(-1)?.seq]).toEqual([1, 400])
    expect(marks.map(({ seq }) => seq)).toEqual(marks.map(({ seq }) => seq).toSorted((a, b) => a - b))
  })
})
