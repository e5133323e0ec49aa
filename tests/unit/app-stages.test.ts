/** What Electron shows as well is left to it only in a run that has its tests. */
import { expect, test } from 'vitest'

interface Stage {
  readonly name: string
  readonly environment: (running: readonly Stage[]) => Readonly<Record<string, string>>
}
const { stages } = (await import(
  /* @vite-ignore */ new URL('../../scripts/setup/stages.mjs', import.meta.url).href
)) as { readonly stages: readonly Stage[] }
const named = (name: string): Stage => stages.find((stage) => stage.name === name)!
const [preview, electron] = [named('app, preview'), named('app, electron')]

const leavesTests = (stage: Stage, running: readonly Stage[]): boolean =>
  stage.environment(running)['VERIDESK_BESIDE_ELECTRON'] !== undefined

test('the preview leaves tests to Electron only where Electron’s tests run', () => {
  expect(leavesTests(preview, stages)).toBe(true)
  expect(leavesTests(preview, [preview, electron])).toBe(true)
  expect(leavesTests(preview, [preview])).toBe(false)
  expect(leavesTests(preview, [preview, named('packaged program')])).toBe(false)
})
