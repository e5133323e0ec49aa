/** As what Electron's program is started. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandLineSwitches, roleOf } from '../../electron/hosts/main/role.ts'

const root = resolve(import.meta.dirname, '..', '..')
const launcher = (name: string): string => readFileSync(join(root, 'build', 'command-line', name), 'utf8')

describe('the role of a start', () => {
  it.each<readonly [string, string[], ReturnType<typeof roleOf>]>([
    ['without arguments', [], { kind: 'window' }],
    ['with sample data', ['--sample'], { kind: 'window' }],
    ['with --cli after “--”', ['--', '--cli'], { kind: 'window' }],
    [
      'as the command line',
      [...commandLineSwitches, '--', 'history', 'search', '--', '--cli'],
      { kind: 'command-line', words: ['history', 'search', '--', '--cli'], others: [] }
    ],
    ['as the command line without words', ['--cli'], { kind: 'command-line', words: [], others: [] }],
    [
      'with more than its own switches',
      ['--cli', '--remote-debugging-port=1', '--', 'help'],
      { kind: 'command-line', words: ['help'], others: ['--remote-debugging-port=1'] }
    ],
    ['as a worker', ['--cli-worker=keychain', '--no-sandbox'], { kind: 'worker', name: 'keychain', others: [] }],
    [
      'as no worker that exists',
      ['--cli', '--cli-worker=other'],
      { kind: 'command-line', words: [], others: ['--cli-worker=other'] }
    ]
  ])('%s', (_what, args, role) => {
    expect(roleOf(args)).toEqual(role)
  })
})

describe('the launchers', () => {
  it('pass only switches that the program accepts, and the words after “--”', () => {
    const passed = /--cli (.*?) -- /
    for (const name of ['veridesk', 'veridesk.cmd']) {
      const switches = ['--cli', ...(passed.exec(launcher(name))?.[1]?.split(' ') ?? [])]
      expect(switches.length, name).toBeGreaterThan(1)
      expect(switches.filter((each) => !(commandLineSwitches as readonly string[]).includes(each))).toEqual([])
    }
    expect(launcher('veridesk')).toContain('-- "$@"')
    expect(launcher('veridesk.cmd')).toContain('-- %*')
  })

  it('have the line ends of their system', () => {
    expect(launcher('veridesk')).not.toContain('\r')
    expect(launcher('veridesk.cmd').replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })
})
