/** The rule that decisions need a second person, removed on one computer and put back: each decision keeps what applied when it was made. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { heldRule } from '#core/applicants/rules.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { loadVerifier } from './evidence-workspace.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

type Rule = Settings['requireApproval']
const ofPolicy: Rule = { approve: 'low', decline: 'low' }
const ofUser: Rule = { decline: 'high' }
const hashOf = (requireApproval: Rule) => heldRule({ ...defaultSettings, requireApproval })?.hash
const [first, second, third, fourth] = ['APP-1', 'APP-2', 'APP-3', 'APP-4']
let folder: string
let console: TestConsole
/** The one to start again. */
let open: TestConsole | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-approval-rule-'))
  mkdirSync(join(folder, 'etc'), { mode: 0o755 })
})
afterEach(async () => {
  await console.dispose()
  open = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the console, again if there is one, with this rule as the policy of the computer or without a file of policies. */
async function start(rule?: Rule): Promise<void> {
  const path = join(folder, 'etc', 'policies.json')
  const policies = { format: 'veridesk-policies', version: 1, policies: { RequireApproval: rule } }
  if (rule) writeFileSync(path, JSON.stringify(policies), { mode: 0o644 })
  else rmSync(path, { force: true })
  await open?.close()
  const reader = { ...fileReader(path, [process.getuid?.() ?? 0]), confirmAfter: 1 }
  console = open = await startTestConsole(open, 'tester', { policies: reader })
}
const shown = (applicantId: string) => console.get('applicants.show', { applicantId })
async function verify(applicantId: string): Promise<void> {
  const { id: connectionId } = await console.get('practice.start')
  const input = { applicant_id: applicantId }
  const order = { connectionId, operation: 'get-applicant-details', input, repeatAnyway: true } as const
  expect(await console.get('verification.run', { runId: randomUUID(), ...order })).toMatchObject({ kind: 'recorded' })
}
/** Verifies and decides about somebody. @returns The number of the decision's event. */
async function decide(applicantId: string): Promise<number> {
  await verify(applicantId)
  return decideAgain(applicantId)
}
async function decideAgain(applicantId: string): Promise<number> {
  const { evidence } = await shown(applicantId)
  const reason = defaultSettings.decisionReasons.find(({ decisions }) => decisions.includes('approve'))?.code
  const draft = {
    applicantId,
    decision: 'approve',
    reasons: reason === undefined ? [] : [reason],
    note: 'Seen'
  } as const
  return (await console.get('decisions.make', { ...draft, evidence })).decision?.seq ?? 0
}
/** Where proposals are counted: in the list of applicants, and in none of the figures of decisions. */
async function counted(): Promise<{ proposed: number; approve: number }> {
  const { states } = await console.get('applicants.counts', {})
  return { proposed: states.proposed, approve: states.approve }
}

/** What a pack about somebody shows of their decisions, in both verifiers. */
async function packOf(applicantId: string) {
  console.save = console.fileAt(`${randomUUID()}.veridesk-evidence`)
  await console.get('evidence.create', { about: { kind: 'applicant', id: applicantId }, profile: 'full', pdf: false })
  const text = readFileSync(console.save, 'utf8')
  const { pack, intact, verified } = checkPack(text)
  const { status } = (await (await loadVerifier()).verifyPack(text)) as unknown as { readonly status: string }
  const decisions = (pack?.content.events ?? []).flatMap(({ kind, seq, plain }) =>
    kind === 'decision.made'
      ? [{ seq, ...Object.fromEntries(plain.shown.map(([, name, value]) => [name, value] as const)) }]
      : []
  )
  return { intact, enough: verified, status, decisions }
}

it('removed: later decisions say that they need nobody, by the rule that applied, and earlier ones stay proposed', async () => {
  await start(ofPolicy)
  const proposed = [await decide(first), await decide(second)]
  expect(await counted()).toEqual({ proposed: 2, approve: 0 })
  const before = await shown(first)
  expect(before).toMatchObject({ state: 'proposed', proposal: 'approve' })

  await start()
  expect((await console.get('app.state')).settings.requireApproval).toEqual({})
  expect(await shown(first)).toEqual(before)
  const without = await decide(third)
  expect(await shown(third)).toMatchObject({ state: 'approve', proposal: undefined })
  await console.get('settings.change', { requireApproval: ofUser })
  const byUser = await decide(fourth)
  expect(await shown(fourth)).toMatchObject({ state: 'approve', proposal: undefined })

  expect(await shown(first)).toEqual(before)
  expect(await counted()).toEqual({ proposed: 2, approve: 2 })
  expect((await console.get('applicants.list', { limit: 10, states: ['proposed'] })).applicants).toMatchObject(
    expect.arrayContaining([first, second].map((id) => expect.objectContaining({ id, proposal: 'approve' })))
  )
  expect((await console.get('audit.page', { limit: 50, kinds: ['policies.changed'] })).events).toHaveLength(2)

  expect(await packOf(first)).toMatchObject({
    ...{ intact: true, enough: false, status: 'approval-missing' },
    decisions: [{ seq: proposed[0], requires: 1, rule: hashOf(ofPolicy) }]
  })
  const alone = await packOf(third)
  expect(alone).toMatchObject({ enough: true, status: 'intact', decisions: [{ seq: without, requires: 0 }] })
  expect(alone.decisions[0]).not.toHaveProperty('rule')
  expect(await packOf(fourth)).toMatchObject({ decisions: [{ seq: byUser, requires: 0, rule: hashOf(ofUser) }] })
  expect(new Set([hashOf(ofPolicy), hashOf(ofUser), hashOf({})]).size).toBe(3)

  // Whoever decides anew without the rule decides alone, and the pack has both decisions with the rule of each.
  const anew = await decideAgain(second)
  expect(await counted()).toEqual({ proposed: 1, approve: 3 })
  expect(await packOf(second)).toMatchObject({
    decisions: [
      { seq: proposed[1], requires: 1, rule: hashOf(ofPolicy) },
      { seq: anew, requires: 0, rule: hashOf(ofUser) }
    ]
  })
  expect(await console.get('audit.verify')).toMatchObject({ intact: true })
}, 60_000)

it('added: earlier decisions stay as they were made, and the next one is proposed', async () => {
  await start()
  const alone = await decide(first)
  const before = await shown(first)
  expect(before).toMatchObject({ state: 'approve' })
  await start(ofPolicy)
  expect(await shown(first)).toEqual(before)
  const proposed = await decide(second)
  expect(await counted()).toEqual({ proposed: 1, approve: 1 })
  expect(await packOf(first)).toMatchObject({
    enough: true,
    status: 'intact',
    decisions: [{ seq: alone, requires: 0 }]
  })
  expect(await packOf(second)).toMatchObject({
    ...{ enough: false, status: 'approval-missing' },
    decisions: [{ seq: proposed, requires: 1, rule: hashOf(ofPolicy) }]
  })
}, 60_000)
