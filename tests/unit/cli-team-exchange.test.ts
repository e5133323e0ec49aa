/** How `team exchange` and `team findings` end: a script must not take a team in trouble for one in order. */
import { expect, test } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import type { TeamExchange, TeamFinding } from '#contract/team/activity.ts'
import type { Context } from '../../electron/hosts/cli/context.ts'
import { exchangeWithTeam } from '../../electron/hosts/cli/team-exchange.ts'
import { listFindings } from '../../electron/hosts/cli/team-findings.ts'

const lost: TeamFinding = { failure: failure('team-given-again', { number: 1, count: 0 }), holds: false }
const acknowledged: TeamFinding = {
  ...lost,
  acknowledged: { installation: '0'.repeat(32), member: 'Anna', operator: 'anna', at: 0, reason: 'Known' }
}
const state = (findings: readonly TeamFinding[], more: Partial<TeamExchange> = {}): TeamExchange => ({
  state: 'connected',
  at: 1,
  toSend: 0,
  toReceive: 0,
  ...more,
  members: [
    { installation: '0'.repeat(32), name: 'Anna', role: 'supervisor', own: true, events: 3, confirmedBy: 0, findings }
  ]
})
const contextOf = (exchange: TeamExchange, options: Context['options'] = {}): Context =>
  ({
    operands: [],
    options,
    showProgress: () => undefined,
    clearProgress: () => undefined,
    note: () => undefined,
    ask: async (name: string) => ({ ok: true, value: name === 'team.state' ? { sharing: { kept: [] } } : exchange })
  }) as unknown as Context

test.each<[string, readonly TeamFinding[], string]>([
  ['nothing is wrong', [], 'done'],
  ['something was found', [lost], 'findings'],
  ['a supervisor has dealt with one of two', [acknowledged, lost], 'findings'],
  ['a supervisor has dealt with it', [acknowledged], 'done']
])('where %s', async (_, findings, exit) => {
  const context = contextOf(state(findings))
  expect((await exchangeWithTeam(context)).exit).toBe(exit)
  expect((await listFindings(context)).exit).toBe(exit)
})

test('where not all was exchanged in time', async () => {
  expect(await exchangeWithTeam(contextOf(state([], { toReceive: 5 }), { timeout: '1' }))).toMatchObject({
    exit: 'incomplete',
    error: expect.stringContaining('Not everything is exchanged yet') as string
  })
})
