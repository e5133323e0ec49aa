/** What a dropped file is, by its first bytes. */
import { describe, expect, it } from 'vitest'
import { droppedHead } from '#contract/verification/drops.ts'
import { identify } from '#core/documents/dropped.ts'

const of = (name: string, content: string | Uint8Array): string => {
  const identified = identify({
    name,
    head: Buffer.from(content as string)
      .subarray(0, droppedHead)
      .toString('base64')
  })
  return identified.ok
    ? identified.value
    : [identified.failure.code, identified.failure.details?.['reason']].filter(Boolean).join(' ')
}

describe('a dropped file', () => {
  it.for([
    ['rows.csv', 'applicant_id', 'rows'],
    ['export.txt', 'applicant_id;document_url\nAPP-1;https://files.example.com/a.jpg\n', 'rows'],
    ['export', 'a\tb\n1\t2\n', 'rows'],
    ['utf16.csv', Buffer.from('\ufeffapplicant_id,b\r\nAPP-1,2\r\n', 'utf16le'), 'rows'],
    ['pack.json', '{"envelope":{"payload":"', 'pack'],
    ['answer.json', '{"payload":"eyJhIjoxfQ==","payloadType":"', 'approval'],
    ['sent.json', '{"format":"veridesk-trust","version":1,"versions":[{', 'trust'],
    ['input.json', '{"applicant_id":"APP-1"}', 'list'],
    ['links.txt', 'https://files.example.com/a.jpg?x=1,2\nhttps://files.example.com/b.jpg?x=1,2\n', 'list'],
    ['ids.txt', 'APP-1\nAPP-2\n', 'list'],
    ['backup.json', '{\n  "format": "veridesk-backup",\n', 'backup'],
    ['photo.csv', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 'dropped-document'],
    ['scan.txt', '%PDF-1.7', 'dropped-document'],
    ['rows.csv', Buffer.from('PK\x03\x04'), 'dropped-unknown packed'],
    ['page.csv', '<!doctype html><script>', 'dropped-unknown page'],
    ['empty.csv', '', 'dropped-unknown empty'],
    ['noise', Buffer.from([1, 2, 3, 4, 5]), 'dropped-unknown other']
  ] as const)('%s is identified by its content', ([name, content, kind]) => {
    expect(of(name, content as string)).toBe(kind)
  })

  it('that is a folder is a backup only with the files of one', () => {
    expect(identify({ name: 'b', folder: ['backup.json', 'history.db'] })).toEqual({ ok: true, value: 'backup' })
    expect(identify({ name: 'b', folder: ['photo.jpg'] })).toMatchObject({
      ok: false,
      failure: { code: 'dropped-folder' }
    })
  })
})
