import { describe, expect, it } from 'vitest'
import { startPage, type StartFacts } from '../../renderer/features/shell/start-page.ts'
import { initialsOf } from '../../renderer/features/shell/operator.ts'
import { fullNameIn } from '../../electron/hosts/node/operator.ts'

const facts: StartFacts = {
  choice: 'automatic',
  firstRunDone: true,
  connections: 1,
  recorded: 5,
  role: 'reviewer',
  waiting: 3,
  last: 'history'
}

describe('the start page', () => {
  it.each([
    ['the first steps, before anything is connected', { recorded: 0, connections: 0, firstRunDone: false }, 'welcome'],
    ['a new verification, while nothing is recorded', { recorded: 0 }, 'new-verification'],
    ['the overview, for a supervisor', { role: 'supervisor' }, 'overview'],
    ['the overview, for somebody who works alone', { role: 'alone' }, 'overview'],
    ['the queue, if something waits', {}, 'queue'],
    ['the last page, if nothing waits', { waiting: 0 }, 'history'],
    ['the queue, without a last page', { waiting: 0, last: '' }, 'queue'],
    ['the queue, while the role is not known', { role: undefined }, 'queue'],
    ['what the person chose', { choice: 'applicants', role: 'supervisor' }, 'applicants'],
    ['the last page, by choice', { choice: 'last' }, 'history']
  ] as const)('is %s', (_what, change, page) => expect(startPage({ ...facts, ...change })).toBe(page))
})

describe('the person', () => {
  it('has the full name of the account, unless it is only the account again', () => {
    const accounts = [
      'root:x:0:0:root:/root:/bin/sh',
      'mira:x:1000:1000:Mira Rahn,Vienna 4,,:/home/mira:/bin/sh',
      'jonas:x:1001:1001:& Berg:/home/jonas:/bin/sh',
      'nobody:x:9:9::/:/bin/false'
    ].join('\n')
    expect(fullNameIn(accounts, 'mira')).toBe('Mira Rahn')
    expect(fullNameIn(accounts, 'jonas')).toBe('jonas Berg')
    for (const account of ['root', 'nobody', 'absent']) expect(fullNameIn(accounts, account)).toBeUndefined()
  })
  it('has initials', () => {
    expect(['Mira Rahn', 'root', 'Ana María de la Cruz', 'x.y', ''].map(initialsOf)).toEqual([
      'MR',
      'R',
      'AC',
      'XY',
      ''
    ])
  })
})
