/** *Letter of explanation*: what it tells an applicant, and that it tells nothing else of what people did or wrote. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

/** Stands in what people write and are called; none of it may leave. */
const canary = 'CANARY'
const applicantId = 'APP-1'
let console: TestConsole
let printed: string[]

beforeEach(async () => {
  printed = []
  console = await startTestConsole(undefined, `${canary}-operator`, {
    printPdf: async (html) => {
      printed.push(html)
      return Buffer.from(`%PDF ${html}`)
    }
  })
  const { id: connectionId } = await console.get('practice.start')
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicantId }
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  await console.get('settings.change', {
    decisionReasons: [
      {
        code: 'canary-told',
        label: `${canary} label`,
        decisions: ['approve', 'decline', 'escalate'],
        wording: 'The photo & the <document> could not be compared.'
      },
      { code: 'canary-secret', label: `${canary} suspicion`, decisions: ['approve', 'decline', 'escalate'] }
    ]
  })
})
afterEach(() => console.dispose())

async function decide(decision: DecisionDraft['decision'], reasons: string[] = ['canary-secret', 'canary-told']) {
  const { evidence } = await console.get('applicants.show', { applicantId })
  const due = decision === 'escalate' ? { due: Date.UTC(2030, 2, 18) } : {}
  return console.get('decisions.make', { applicantId, decision, reasons, note: `${canary} note`, evidence, ...due })
}
const read = () => console.get('exports.readLetter', { applicantId })
const refusal = async () => {
  const answer = await console.ask('exports.readLetter', { applicantId })
  return answer.ok ? undefined : [answer.failure.code, answer.failure.details?.['reason']]
}

describe('the letter of explanation', () => {
  it('has who, what, when and the wordings of the reasons, and none of what people wrote', async () => {
    await console.get('applicants.note', { applicantId, text: `${canary} note` })
    await console.get('applicants.tag', { applicantId, tags: [`${canary} tag`] })
    await console.get('applicants.rate', { applicantId, risk: 'high', note: `${canary} class` })
    await console.get('holds.place', { applicantId, reason: `${canary} hold`, reference: `${canary} order` })
    await decide('decline')
    await console.get('applicants.challenge', { applicantId, text: `${canary} challenge` })
    const letter = await read()
    expect(letter.rows.slice(-3)).toEqual([
      ['Applicant ID', applicantId],
      ['Date of the decision', new Date().toISOString().slice(0, 10)],
      ['Decision', 'Declined']
    ])
    expect(letter.reasons).toEqual(['The photo & the <document> could not be compared.'])
    console.save = console.fileAt('letter.pdf')
    const saved = await console.get('exports.letter', { applicantId, digest: letter.digest })
    const bytes = String(await readFile(console.save))
    expect(saved?.bytes).toBe(Buffer.byteLength(bytes))
    for (const text of [
      letter.title,
      letter.challenge,
      'Declined',
      applicantId,
      'The photo &amp; the &lt;document&gt;'
    ])
      expect(bytes).toContain(text)
    for (const text of [JSON.stringify(letter), bytes, ...printed]) {
      expect(text.toLowerCase()).not.toContain('canary')
      expect(text).not.toMatch(/\b(high|risk|hold|note|approval|outdated|challenged)\b/i)
    }
    const { events } = await console.get('audit.page', { limit: 5, kinds: ['export.made'] })
    expect(events).toMatchObject([
      { words: 'Export (letter of explanation, pdf) with 1 entry saved.', applicantId, operator: `${canary}-operator` }
    ])
  })

  it('is not there for an escalation, a proposal, without a decision or without a wording', async () => {
    const none = ['letter-not-saved', 'no-decision']
    expect(await refusal()).toEqual(none)
    await decide('escalate')
    expect(await refusal()).toEqual(none)
    await decide('approve', ['canary-secret'])
    expect(await refusal()).toEqual(['letter-not-saved', 'no-wording'])
    await decide('approve')
    expect((await read()).rows.at(-1)).toEqual(['Decision', 'Approved'])
    await console.get('settings.change', { requireApproval: { approve: 'low' } })
    await decide('approve')
    expect(await refusal()).toEqual(none)
    expect(printed).toEqual([])
    const { events } = await console.get('audit.page', { limit: 5, kinds: ['export.made'] })
    expect(events).toEqual([])
  })

  it('is saved only as it was read, and only where it can be printed', async () => {
    await decide('approve')
    const { digest } = await read()
    await decide('decline')
    console.save = console.fileAt('letter.pdf')
    expect(await console.ask('exports.letter', { applicantId, digest })).toMatchObject({
      ok: false,
      failure: { code: 'letter-not-saved', details: { reason: 'changed' } }
    })
    await expect(readFile(console.save)).rejects.toThrow('ENOENT')
  })

  it('has the wording of a reason that is no longer in the list', async () => {
    await decide('approve', ['canary-told'])
    const { settings } = await console.get('app.state')
    await console.get('settings.change', { decisionReasons: [], removedReasons: settings.decisionReasons })
    expect((await read()).reasons).toHaveLength(1)
  })
})
