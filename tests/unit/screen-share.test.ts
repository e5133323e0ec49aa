/** What screen-share mode hides in sentences, addresses and templates; tests/app/screen-share.spec.ts walks the views. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RouterHistory } from 'vue-router'
import { failure, invalidField } from '#contract/failures/failures.ts'
import { hidingHistory } from '../../renderer/features/shell/hidden-addresses.ts'
import { fieldFaultSentence, sentencesOf } from '../../renderer/kit/failure-text.ts'
import { setHidden, shownLine } from '../../renderer/kit/screen-share.ts'
import { popupPlace } from '../../renderer/features/shell/shown-place.ts'

describe('in screen-share mode', () => {
  beforeEach(() => setHidden(true))
  afterEach(() => setHidden(false))

  it('hides a text on a line, and shows it again afterwards', () => {
    expect(shownLine('APP-1')).toBe('hidden')
    setHidden(false)
    expect(shownLine('APP\t1')).toBe('APP 1')
  })

  it('hides the texts in a failure and in its cause, but not why it happened', () => {
    const cause = failure('file-unwritable', { file: 'Canary.csv', errno: 'EACCES' })
    const whole = JSON.stringify(
      sentencesOf({ ...failure('file-unwritable', { file: 'Canary.csv', errno: 'EACCES' }), cause })
    )
    expect(whole).not.toContain('Canary')
    setHidden(false)
    expect(JSON.stringify(sentencesOf(cause))).toContain('Canary.csv')
  })

  it('leaves numbers in the sentence of a field', () => {
    const fault = invalidField('too-long', { limit: 2048, length: 4000 })
    const hidden = fieldFaultSentence(fault)
    setHidden(false)
    expect(fieldFaultSentence(fault)).toBe(hidden)
  })

  it('writes no ID and no search text into the address of a link', () => {
    const history = hidingHistory({ createHref: (path: string) => `#${path}` } as RouterHistory)
    for (const path of [
      '/applicants/APP-1',
      '/history?q=APP-1',
      '/administration/data-management?applicant=APP-1',
      '/queue/x?tags=vip'
    ])
      expect(history.createHref(path)).toBe('#/hidden')
    for (const path of ['/applicants', '/history', '/batches/6c1f']) expect(history.createHref(path)).toBe(`#${path}`)
    setHidden(false)
    expect(history.createHref('/applicants/APP-1')).toBe('#/applicants/APP-1')
  })
})

it('draws a shown value below its place, or above it at the lower edge, and never beyond the window', () => {
  const window = { width: 900, height: 600 }
  expect(popupPlace({ left: 40, top: 100, bottom: 120 }, { width: 200, height: 30 }, window)).toEqual({
    left: '40px',
    top: '122px'
  })
  expect(popupPlace({ left: 800, top: 570, bottom: 590 }, { width: 200, height: 30 }, window)).toEqual({
    left: '692px',
    top: '538px'
  })
  expect(popupPlace({ left: -5, top: 2, bottom: 20 }, { width: 300, height: 595 }, window)).toEqual({
    left: '8px',
    top: '8px'
  })
})

/** Fields of the contract with personal data, as templates name them. */
const personal =
  /(?<!\b(?:plot|column|words))\.(message|applicantId|fileName|note|tags|address|cells|subject)\b(?!\.length|\s*!==|\s*===|\s*\?|\s*&&|\s*>|\()/
const renderer = resolve(import.meta.dirname, '..', '..', 'renderer')
const templates = (readdirSync(renderer, { recursive: true }) as string[]).filter((name) => name.endsWith('.vue'))

/** Texts and accessible names of a template that name such a field without hiding it. */
function unhidden(source: string): string[] {
  const template = source.slice(source.indexOf('\n<template>'))
  const texts = [
    ...template.matchAll(/\{\{(.*?)\}\}/gs),
    ...template.matchAll(/\s:(?:title|aria-label|alt|placeholder|values|data-[a-z]+)="([^"]*)"/g)
  ].map(([, text = '']) => text)
  return texts.filter((text) => personal.test(text.replace(/shownLine\([^()]*(?:\([^()]*\))?[^()]*\)/g, '')))
}

it('no template writes a field with personal data but by what hides it', () => {
  expect(unhidden('\n<template><p>{{ record.message }}</p></template>'), 'this can fail').toHaveLength(1)
  expect(unhidden('\n<template><p :title="`of ${each.applicantId}`" /></template>')).toHaveLength(1)
  expect(unhidden('\n<template><PhraseText :values="{ note: each.note }" /></template>')).toHaveLength(1)
  const found = templates.flatMap((name) =>
    unhidden(readFileSync(join(renderer, name), 'utf8')).map((text) => `${name}: ${text.trim()}`)
  )
  expect(found).toEqual([])
})
