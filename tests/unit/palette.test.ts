/** What the palette offers: by what people call things, in which order, and why something is not offered. */
import { beforeAll, describe, expect, it } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import type { Context } from '../../renderer/kit/context-commands.ts'
import { paletteCommands, whyNot, type CommandParts } from '../../renderer/features/palette/palette-commands.ts'
import { ranked, rankOf } from '../../renderer/features/palette/ranking.ts'
import { caseCommands, commandsOfCase, type CaseActions } from '../../renderer/features/case/case-commands.ts'

const nothing = (): undefined => undefined
const done: string[] = []
const actions = new Proxy({}, { get: (_, name) => () => void done.push(String(name)) }) as CaseActions
const openCase: Context = {
  kind: 'case',
  title: 'Avery Specimen',
  hidden: 'Person A',
  commands: commandsOfCase(actions, 'Test account', nothing)
}
let parts: CommandParts
beforeAll(() => {
  parts = {
    settings: settingsDefaults,
    connections: [],
    router: createRouter({ history: createMemoryHistory(), routes: [] }),
    recent: [{ key: 'overview', label: 'Overview', kind: 'Page', place: 'overview', to: '/', at: 0 }],
    change: nothing,
    choose: nothing,
    showShortcuts: nothing,
    print: nothing,
    canPrint: true,
    lock: nothing,
    screenShare: { on: false, toggle: nothing },
    sample: { inUse: false, openOrClose: nothing }
  }
})
const first = (text: string, context?: Context): string | undefined =>
  ranked(
    text,
    paletteCommands(parts, context).filter(({ unavailable }) => unavailable === undefined)
  )[0]?.items[0]?.label

describe('what people call things', () => {
  it.each([
    ['api key', 'Credentials of a connection'],
    ['secret', 'Credentials of a connection'],
    ['token', 'Credentials of a connection'],
    ['timezone', 'Time zone'],
    ['print', 'Print'],
    ['pdf', 'Print'],
    ['dark', 'Switch to dark theme'],
    ['theme', 'Theme'],
    ['sign out', 'Lock Veridesk'],
    ['delete', 'Legal hold and erasure'],
    ['gdpr', 'Legal hold and erasure'],
    ['log', 'Audit trail'],
    ['kyc photo', 'Validate KYC photo']
  ])('“%s” finds %s', (text, label) => expect(first(text)).toBe(label))
  it.each([
    ['comment', 'Write a note'],
    ['owner', 'Assign'],
    ['delete', 'Legal hold or erasure'],
    ['ap', 'Approve'],
    ['link', 'Copy link']
  ])('“%s” finds %s in a case', (text, label) => expect(first(text, openCase)).toBe(label))
})

describe('the order', () => {
  it('has a whole word before its beginning, and that before anything else', () => {
    const of = (label: string, words = '') => rankOf('lock', { group: 'go', label, words })
    expect([of('Lock'), of('Away', 'lock'), of('Locked'), of('Away', 'locker'), of('Unlock'), of('Away')]).toEqual([
      0,
      1,
      2,
      3,
      4,
      undefined
    ])
  })
  it('begins with what applies now, and never puts a result before a command that answers as well', () => {
    const command = (group: 'applicants' | 'context' | 'go' | 'settings', label: string) => ({ group, label })
    const order = (...all: ReturnType<typeof command>[]) => ranked('appear', all).map(({ group }) => group)
    expect(order(command('applicants', 'Appear'), command('settings', 'Appear'), command('context', 'Appear'))).toEqual(
      ['context', 'settings', 'applicants']
    )
    expect(order(command('context', 'Appearance'), command('applicants', 'Appear'))).toEqual(['applicants', 'context'])
  })
  it('shows the groups one after another', () => {
    const groups = ranked('', paletteCommands(parts, openCase)).map(({ group }) => group)
    expect(groups).toEqual(['context', 'recent', 'go', 'settings', 'help'])
  })
})

describe('what does not apply', () => {
  const why = (text: string, context?: Context, more: Partial<CommandParts> = {}) =>
    whyNot(text, paletteCommands({ ...parts, ...more }, context), context)
  it('is not offered, and a line says why if it is asked for', () => {
    expect(first('approve')).not.toBe('Approve')
    expect(why('approve')).toBe('“Approve” does not apply here. Open a case in the queue or under Applicants first.')
    expect(why('approve', openCase)).toBeUndefined()
    expect(why('bulk')).toBe('“Decide many” does not apply here. Select applicants in the queue first.')
    expect(why('print', undefined, { canPrint: false })).toContain('Open a record, a case or the queue')
    expect(why('lock', undefined, { sample: { inUse: true, openOrClose: nothing } })).toContain(
      'Sample data has no lock'
    )
    const off = commandsOfCase(actions, 'Test account', () => 'It is turned off.')
    for (const text of ['copy id', 'copy link', 'print'])
      expect(why(text, { ...openCase, commands: off }, { printOff: 'It is turned off.' })).toContain(
        'It is turned off.'
      )
    expect(why('lock')).toBeUndefined()
    expect(why('')).toBeUndefined()
    expect(why('nothing like this')).toBeUndefined()
  })
  it('includes requests that have nowhere to go', () => {
    const alone: Context = { ...openCase, commands: commandsOfCase(actions, undefined, nothing) }
    expect(why('Get applicant details', alone)).toContain('There is no connection')
    expect(alone.commands.filter(({ unavailable }) => unavailable !== undefined)).toHaveLength(6)
  })
})

it('does in a case what its keys do', () => {
  for (const command of openCase.commands) command.run()
  expect(new Set(done).size).toBeGreaterThan(12)
  const letters = caseCommands.flatMap(({ letter }) => letter ?? [])
  expect(new Set(letters).size).toBe(letters.length)
})
