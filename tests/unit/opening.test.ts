/** What the system may ask the console to open: links by ID alone, files by their ending. */
import { describe, expect, it } from 'vitest'
import { linkTo } from '#contract/app/link-to.ts'
import { linkedPages, placeOf, type LinkedPage } from '#contract/app/opening.ts'
import { askedBy, createOpenings } from '../../electron/hosts/node/openings.ts'

const record = '0b9f6f2e-6f2f-4a52-9a53-1e6c7f3b2d94'
const ids: Record<LinkedPage, string> = { applicant: 'Müller / 7 ✓', record, batch: record }

describe('a link', () => {
  it.each(Object.keys(linkedPages) as LinkedPage[])('to a %s leads back to it', (page) => {
    const place = { page, id: ids[page] }
    expect(placeOf(linkTo(place))).toEqual(place)
    expect(askedBy(linkTo(place).replace('veridesk', 'VERIDESK'), '/')).toEqual(place)
  })
  it.each([
    'veridesk://settings/proxy',
    'veridesk://record/not-a-uuid',
    'veridesk://applicant/',
    'veridesk://applicant/%E0%A4%A',
    'veridesk://applicant/A%00B',
    `veridesk://record/${record}?then=resend`,
    `veridesk://record/${record}#/settings`,
    `veridesk://record/${record}/resend`,
    `veridesk://user@record/${record}`,
    `veridesk://record:80/${record}`,
    `veridesk:record/${record}`,
    `veridesk://constructor/${record}`,
    'veridesk://applicant/%2e%2e%2f%0aX'
  ])('is refused if it is anything else: %s', (link) => {
    expect(placeOf(link)).toBeUndefined()
    expect(askedBy(link, '/')).toBe('refused')
  })
})

describe('an argument', () => {
  it.each([
    ['rows.csv', '/in/rows.csv'],
    ['/else/Rows.XLSX', '/else/Rows.XLSX'],
    ['APP-1.veridesk-evidence', '/in/APP-1.veridesk-evidence']
  ])('that is a file of its kinds is opened: %s', (argument, path) => {
    expect(askedBy(argument, '/in')).toEqual({ path })
  })
  it.each(['--data=rows.csv', '-x.csv', 'https://example.com', 'notes.txt', '.', ''])(
    'that is something else is none of them: %s',
    (argument) => expect(askedBy(argument, '/in')).toBeUndefined()
  )
})

it('keeps what waits in order, and not without limit', () => {
  const openings = createOpenings()
  let told = 0
  openings.onAsked(() => (told += 1))
  openings.ask(['--sample', '.'], '/')
  expect(told).toBe(0)
  openings.ask(
    Array.from({ length: 30 }, (_, index) => `${index}.csv`),
    '/'
  )
  expect(told).toBe(1)
  expect(openings.take()).toEqual({ path: '/10.csv' })
})
