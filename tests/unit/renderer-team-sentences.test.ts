/** The sentences of a team's failures are loaded before one is shown, and not at the start. */
import { afterEach, expect, it, vi } from 'vitest'
import { computed } from 'vue'
import { failed, failure } from '#contract/failures/failures.ts'
import { teamFailures } from '#contract/team/sentences.ts'

afterEach(() => vi.unstubAllGlobals())

it('the sentences of a team arrive with the first failure of one, also as a cause', async () => {
  // As at the start of a window, whatever files ran before this one in the same process.
  vi.resetModules()
  const { ask } = await import('../../renderer/bridge.ts')
  const { sentencesOf } = await import('../../renderer/kit/failure-text.ts')
  // As a batch shows why it stopped.
  const shown = computed(() => sentencesOf(failure('team-missing')).what)
  expect(shown.value).toContain('does not know (team-missing)')
  vi.stubGlobal('window', {
    veridesk: {
      'team.state': async () => failed('history-unavailable', { reason: 'closed' }),
      'team.members': async () => ({
        ok: false,
        failure: { ...failure('internal', { reason: 'router' }), cause: failure('team-missing') }
      })
    }
  })
  await ask('team.state')
  expect(shown.value).toContain('does not know')
  await ask('team.members')
  expect(shown.value).toBe(teamFailures['team-missing'].what)
})
