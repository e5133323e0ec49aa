/** Rules that cannot be read are not “none”: what they decide is refused until they can be, or a person resets them. */
import { writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const applicantId = 'PRACTICE-pass'
let folder: string
let console: TestConsole
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-unreadable-'))
  await mkdir(join(folder, 'etc'), { mode: 0o755 })
  console = await start()
  await checked(console)
  await console.get('applicants.rate', { applicantId, risk: 'high', note: '' })
})
afterEach(async () => {
  await console.dispose()
  await rm(folder, { recursive: true, force: true })
})

const file = (): string => join(folder, 'etc', 'policies.json')
const start = async (earlier?: TestConsole): Promise<TestConsole> => {
  await earlier?.close()
  const reader = { ...fileReader(file(), [process.getuid?.() ?? 0]), confirmAfter: 1 }
  return startTestConsole(earlier, 'tester', { policies: reader })
}
const settingsPath = (): string => join(console.dataFolder, 'settings.json')
const damaged = '{"format":"veridesk-sett'

async function refusal<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<string> {
  const answer = await console.ask(name, input)
  return answer.ok ? 'allowed' : answer.failure.code
}
const decisionOf = async () => ({
  applicantId,
  decision: 'approve' as const,
  reasons: ['documents-in-order'],
  note: 'looked at',
  evidence: (await console.get('applicants.show', { applicantId })).evidence
})
/** What becomes of each request that a rule of the settings decides. */
async function refusals(): Promise<Readonly<Record<string, string>>> {
  const draft = await decisionOf()
  const { decision, reasons, note, evidence } = draft
  const set = { id: '00000000-0000-4000-8000-000000000001', seed: 'ab'.repeat(16), share: 0 }
  const asked = {
    'decisions.make': draft,
    'decisions.prepare': { applicantIds: [applicantId], decision: 'approve', share: 0 },
    'decisions.makeMany': { set, applicants: [{ applicantId, evidence }], decision, reasons, note },
    'applicants.review': { applicantId, outcome: 'unchanged', note: '' },
    'applicants.rate': { applicantId, risk: 'low', note: '' },
    'applicants.changeMany': { applicantIds: [applicantId], risk: 'low' },
    'applicants.import': { text: `applicant_id,risk\n${applicantId},low\n`, dryRun: false },
    'retention.plan': undefined,
    'retention.run': { digest: 'ab'.repeat(32), reason: 'x' },
    'exports.readLetter': { applicantId },
    'exports.letter': { applicantId, digest: 'ab'.repeat(32) }
  } as const satisfies { readonly [Name in ChannelName]?: RequestOf<Name> }
  const found: Record<string, string> = {}
  for (const [name, input] of Object.entries(asked)) found[name] = await refusal(name as ChannelName, input as never)
  return found
}
const allAre = (code: string, found: Readonly<Record<string, string>>) =>
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, code])))
const plainOf = async (kind: 'decision.made' | 'risk.rated') =>
  (await console.get('audit.page', { kinds: [kind], limit: 50 })).events

test('settings that cannot be read refuse every decision that a rule of theirs could bind', async () => {
  await console.get('settings.change', { requireApproval: { approve: 'low', decline: 'low' } })
  writeFileSync(settingsPath(), damaged)
  console = await start(console)
  expect((await console.get('app.state')).fileFaults.settings?.code).toBe('settings-damaged')
  allAre('settings-block-sending', await refusals())
  expect(await console.ask('decisions.make', await decisionOf())).toMatchObject({
    failure: { details: { file: 'settings.json' }, cause: { code: 'settings-damaged' } }
  })
  expect(await plainOf('decision.made')).toEqual([])
  expect(await plainOf('risk.rated')).toHaveLength(1)
  // What no rule of the settings decides goes on.
  expect(await refusal('applicants.note', { applicantId, text: 'Called back' })).toBe('allowed')
  expect(await refusal('applicants.changeMany', { applicantIds: [applicantId], add: ['Branch'] })).toBe('allowed')

  // Decided anew by a person: from then on the default rules hold.
  await console.get('settings.reset', { file: 'settings' })
  expect(await refusal('decisions.make', await decisionOf())).toBe('allowed')
  expect((await readdir(console.dataFolder)).some((name) => name.startsWith('settings.damaged-'))).toBe(true)
})

test('settings that cannot be read give nobody another name', async () => {
  const shown = async () => (await console.get('applicants.list', { limit: 5 })).applicants[0]?.name
  const mapping = { name: ['address.town'], birthDate: [], country: [] }
  const named = await shown()
  await console.get('settings.change', { nameFields: mapping })
  await expect.poll(shown).not.toBe(named)
  const mapped = await shown()
  writeFileSync(settingsPath(), damaged)
  console = await start(console)
  // What is written after the names would have been read again.
  await console.get('applicants.note', { applicantId, text: 'Called back' })
  expect(await shown()).toBe(mapped)
  await console.get('settings.reset', { file: 'settings' })
  await expect.poll(shown).toBe(named)
})

test('after a reset a rule of the organisation holds still', async () => {
  const all = { RequireApproval: { approve: 'low', decline: 'low' } }
  writeFileSync(file(), JSON.stringify({ format: 'veridesk-policies', version: 1, policies: all }), { mode: 0o644 })
  writeFileSync(settingsPath(), damaged)
  console = await start(console)
  allAre('settings-block-sending', await refusals())
  await console.get('settings.reset', { file: 'settings' })
  expect(await console.get('decisions.make', await decisionOf())).toMatchObject({ state: 'proposed' })
})

test('policies that cannot be read, and were never valid here, refuse the same', async () => {
  writeFileSync(file(), damaged, { mode: 0o644 })
  console = await start(console)
  allAre('policies-block-sending', await refusals())
  // Whose keys count is a rule of theirs, too: packs and approvals by file go by the trust file that a policy names.
  expect(await refusal('evidence.checkText', { name: 'pack.json', text: '{}' })).toBe('policies-block-sending')
  expect(await plainOf('decision.made')).toEqual([])
})
