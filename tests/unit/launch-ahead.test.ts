import { describe, expect, it } from 'vitest'
import type { WorkerLine, WorkerName } from '#wire/worker-line.ts'
import { launchAhead } from '../../electron/hosts/cli/run.ts'

/** Lines that note what becomes of them; the workers themselves have their own tests. */
function noted() {
  const started: string[] = []
  const killed: string[] = []
  const launch = (name: WorkerName): WorkerLine => {
    const line = `${name} ${started.filter((one) => one.startsWith(name)).length + 1}`
    started.push(line)
    return {
      post: () => undefined,
      onMessage: () => undefined,
      onEnd: () => undefined,
      kill: () => void killed.push(line)
    }
  }
  return { started, killed, launch }
}

describe('workers started ahead', () => {
  it('run before they are asked for, and the first launch gets them', () => {
    const { started, launch } = noted()
    const ahead = launchAhead(launch, ['keychain', 'history'])
    expect(started).toEqual(['keychain 1', 'history 1'])
    ahead.launch('history')
    expect(started).toEqual(['keychain 1', 'history 1'])
  })

  it('a second launch of a name starts another, as does a name that was not started ahead', () => {
    const { started, launch } = noted()
    const ahead = launchAhead(launch, ['history'])
    ahead.launch('history')
    ahead.launch('history')
    ahead.launch('team')
    expect(started).toEqual(['history 1', 'history 2', 'team 1'])
  })

  it('end if nobody asked for them; those in use are left alone', () => {
    const { killed, launch } = noted()
    const ahead = launchAhead(launch, ['keychain', 'history'])
    ahead.launch('history')
    ahead.end()
    ahead.end()
    expect(killed).toEqual(['keychain 1'])
  })
})
