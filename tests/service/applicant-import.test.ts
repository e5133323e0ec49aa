/** `applicant import` and changes of many, through the console's router and from the command line. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { startKeyring, type Keyring } from './support/keyring.ts'
import { commandLine } from './support/program.ts'

const kinds = ['relationship.changed', 'risk.rated', 'expiry.noted'] as const

describe('through the router', () => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startTestConsole()
    const { id: connectionId } = await console.get('practice.start')
    for (const applicant_id of ['A-1', 'A-2', 'A-3'])
      await console.get('verification.run', {
        runId: crypto.randomUUID(),
        connectionId,
        operation: 'get-applicant-details',
        input: { applicant_id }
      })
  })
  afterAll(() => console.dispose())

  const entered = async (): Promise<readonly string[]> =>
    (await console.get('audit.page', { limit: 50, kinds: [...kinds] })).events.map(({ kind }) => kind)
  const take = (text: string, dryRun = false) => console.get('applicants.import', { text, dryRun })
  const state = async (applicantId: string) => {
    const { relationship, risk, review } = await console.get('applicants.show', { applicantId })
    return { relationship, risk, review: review?.at }
  }

  test('a dry run changes nothing, an import enters what differs, each by an event, and a second one nothing', async () => {
    const table = [
      '\ufeffApplicant_ID;relationship;on;risk;document_expires',
      'A-1;active;2026-01-31;high;2026-06-30',
      '',
      'A-2;;;low;',
      'A-3;ended;2020-02-29;;'
    ].join('\r\n')
    expect(await take(table, true)).toEqual({ lines: 3, changed: 3, same: 0, faults: [], faulty: 0 })
    expect(await entered()).toEqual([])
    expect(await take(table)).toMatchObject({ changed: 3, same: 0 })
    expect((await entered()).toSorted()).toEqual([
      'expiry.noted',
      'relationship.changed',
      'relationship.changed',
      'risk.rated',
      'risk.rated'
    ])
    // The document expires before the twelve months of the class are over.
    expect(await state('A-1')).toEqual({
      relationship: { state: 'active', on: '2026-01-31' },
      risk: 'high',
      review: '2026-06-30'
    })
    expect(await state('A-3')).toMatchObject({ relationship: { state: 'ended', on: '2020-02-29' } })
    expect(await take(table)).toMatchObject({ changed: 0, same: 3 })
    expect(await entered()).toHaveLength(5)
  })

  test('while one line is wrong, nothing is entered, and every wrong line is named', async () => {
    const before = (await entered()).length
    const { faults, faulty, ...counted } = await take(
      [
        'applicant_id,relationship,on,risk,document_expires',
        'A-1,refused,2026-11-28,,',
        'NOBODY,active,2026-01-01,,',
        'A-2,customer,2026-01-01,,',
        'A-2,active,,,',
        'A-2,active,2026-02-30,,',
        'A-2,,,extreme,',
        'A-2,,,,soon',
        'A-1,ended,2026-11-28,,',
        ',ended,2026-11-28,,',
        'A-3,ended,2199-12-31,,'
      ].join('\n')
    )
    expect(faults.map(({ line, column, fault }) => [line, column, fault.code])).toEqual([
      [3, 'applicant_id', 'applicant-unknown'],
      [4, 'relationship', 'relationship-invalid'],
      [5, 'on', 'relationship-incomplete'],
      [6, 'on', 'date-invalid'],
      [7, 'risk', 'risk-unlisted'],
      [8, 'document_expires', 'date-invalid'],
      [9, 'applicant_id', 'applicant-repeated'],
      [10, 'applicant_id', 'applicant-unknown'],
      [11, 'on', 'day-ahead']
    ])
    expect([faulty, counted.lines]).toEqual([9, 10])
    expect(await entered()).toHaveLength(before)
    for (const heading of ['', 'applicant,risk', 'risk', 'applicant_id,risk,risk'])
      expect(await console.ask('applicants.import', { text: `${heading}\nA-1,low`, dryRun: true })).toMatchObject({
        failure: { code: 'import-headings' }
      })
    expect(
      await console.ask('applicants.import', { text: 'applicant_id,risk\nA-1,"low\n2\nA-2,low\n', dryRun: true })
    ).toMatchObject({
      failure: { code: 'import-unreadable' }
    })
  })

  test('a decline refuses the relationship in the same step, and nothing else does', async () => {
    const { evidence } = await console.get('applicants.show', { applicantId: 'A-2' })
    const decide = (decision: 'approve' | 'decline') =>
      console.ask('decisions.make', {
        applicantId: 'A-2',
        decision,
        reasons: ['reviewed-by-hand'],
        note: 'looked at',
        evidence,
        refusedOn: '2026-11-28'
      })
    expect(await decide('approve')).toMatchObject({
      failure: { code: 'decision-invalid', fields: { refusedOn: { code: 'refused-not-declined' } } }
    })
    expect(await state('A-2')).toMatchObject({ relationship: undefined })
    expect(await decide('decline')).toMatchObject({
      ok: true,
      value: { relationship: { state: 'refused', on: '2026-11-28' } }
    })
    const { events } = await console.get('audit.page', { limit: 2, kinds: ['decision.made', 'relationship.changed'] })
    expect(events.map(({ kind }) => kind)).toEqual(['relationship.changed', 'decision.made'])
  })

  test('a class and a relationship of many, each by an event where it differs', async () => {
    const before = (await entered()).length
    const change = {
      applicantIds: ['A-1', 'A-2', 'A-3'],
      relationship: { state: 'ended' as const, on: '2020-02-29' },
      risk: 'high'
    }
    // A-1 has the class, A-3 the relationship.
    expect(await console.get('applicants.changeMany', change)).toEqual({ changed: 3, same: 0, full: 0 })
    expect(await entered()).toHaveLength(before + 4)
    expect(await console.get('applicants.changeMany', change)).toEqual({ changed: 0, same: 3, full: 0 })
    expect(await console.ask('applicants.changeMany', { applicantIds: ['A-1'], risk: 'none' })).toMatchObject({
      failure: { code: 'risk-class-missing' }
    })
  })

  test('a decision that is the periodic review moves the next one, and an escalation is none', async () => {
    const { id: connectionId } = await console.get('practice.start')
    await console.get('verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'A-4' }
    })
    await console.get('applicants.rate', { applicantId: 'A-4', risk: 'high', note: '' })
    await console.get('applicants.relate', { applicantId: 'A-4', state: 'active', on: '2020-01-31', note: '' })
    const before = await console.get('applicants.show', { applicantId: 'A-4' })
    expect(before.review).toEqual({ at: '2021-01-31', cause: 'period' })
    const decide = (decision: 'approve' | 'escalate') =>
      console.ask('decisions.make', {
        applicantId: 'A-4',
        decision,
        reasons: [decision === 'approve' ? 'documents-in-order' : 'second-opinion'],
        note: 'looked at all of it again',
        evidence: before.evidence,
        review: 'updated'
      })
    expect(await decide('escalate')).toMatchObject({
      failure: { code: 'decision-invalid', fields: { review: { code: 'review-escalated' } } }
    })
    const decided = await decide('approve')
    if (!decided.ok) throw new Error(decided.failure.code)
    const next = addMonths(isoDue(Date.now()), 12)
    expect(decided.value).toMatchObject({ decision: { decision: 'approve' }, review: { at: next } })
    const kinds = ['decision.made', 'review.recorded'] as const
    const { events } = await console.get('audit.page', { limit: 2, kinds: [...kinds] })
    expect(events.map(({ kind }) => kind)).toEqual(['review.recorded', 'decision.made'])
    const { entries } = await console.get('applicants.timeline', { applicantId: 'A-4', limit: 5 })
    const review = entries.find(({ kind }) => kind === 'review')
    expect(review).toMatchObject({ outcome: 'updated', next })
    expect((await console.get('applicants.show', { applicantId: 'A-4' })).reviewedAt).toBe(review?.at)
  })

  test('no relationship is recorded before its day, and any on the day that it is', async () => {
    const before = (await entered()).length
    const now = Date.now()
    // The window can show days in UTC.
    const day = Math.max(today(now), now)
    const [here, ahead] = [isoDue(day), isoDue(day + 2 * dayLength)]
    for (const state of ['active', 'occasional', 'refused', 'ended'] as const) {
      const relationship = { state, on: ahead }
      expect(await console.ask('applicants.relate', { applicantId: 'A-3', ...relationship, note: '' })).toMatchObject({
        failure: { code: 'relationship-ahead' }
      })
      expect(await console.ask('applicants.changeMany', { applicantIds: ['A-3'], relationship })).toMatchObject({
        failure: { code: 'relationship-ahead' }
      })
    }
    const { evidence } = await console.get('applicants.show', { applicantId: 'A-3' })
    const decline = { applicantId: 'A-3', decision: 'decline' as const, reasons: ['reviewed-by-hand'], note: 'no' }
    expect(await console.ask('decisions.make', { ...decline, evidence, refusedOn: ahead })).toMatchObject({
      failure: { code: 'decision-invalid', fields: { refusedOn: { code: 'day-ahead' } } }
    })
    expect(await entered()).toHaveLength(before)
    await console.get('applicants.relate', { applicantId: 'A-3', state: 'ended', on: here, note: '' })
    expect(await entered()).toHaveLength(before + 1)
  })
})

describe('from the command line', () => {
  let folder: string
  let keyring: Keyring
  const cli = async (...words: readonly string[]): Promise<{ code: number; out: string; error: string }> => {
    const ended = promisify(execFile)(process.execPath, [commandLine, ...words, '--data', join(folder, 'data')], {
      env: { ...process.env, ...keyring.env }
    })
    return ended.then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout, error: stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        out: stdout,
        error: stderr
      })
    )
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veridesk-import-'))
    keyring = await startKeyring()
    await cli('connection', 'add', '--practice')
    await cli('verify', 'get-applicant-details', '--applicant-id', '00042')
  })
  afterAll(async () => {
    await keyring.end()
    await rm(folder, { recursive: true, force: true })
  })

  test('says what it would change, names wrong lines, and imports', async () => {
    const path = join(folder, 'customers.csv')
    const write = (...lines: readonly string[]) =>
      writeFile(path, ['applicant_id,relationship,on', ...lines].join('\n'))
    await write('00042,ended,2019-05-31')
    expect(await cli('applicant', 'import', path, '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Would change 1 of 1 applicant; 0 already so. Nothing was changed.') as string
    })
    expect(await cli('applicant', 'import', path)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Changed 1 of 1 applicant; 0 already so.') as string
    })
    await write('00042,ended,31.05.2019', 'NOBODY,ended,2019-05-31')
    const wrong = await cli('applicant', 'import', path)
    expect(wrong.code).toBe(exitCodes.failed.code)
    expect(wrong.error).toContain('Line 2, on: Enter a date as 2026-12-31.')
    expect(wrong.error).toContain('Line 3, applicant_id: There is no applicant with this ID.')
    expect(wrong.error).toContain('2 of 2 lines cannot be imported. Nothing was changed.')
    await writeFile(path, Buffer.from([0x61, 0xff, 0xfe]))
    expect(await cli('applicant', 'import', path)).toMatchObject({ code: exitCodes.failed.code })
    expect(await cli('applicant', 'import')).toMatchObject({ code: exitCodes.usage.code })
  })
})
