/** What a decision records of what was on screen before it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { checkPack } from '#core/evidence/pack/check.ts'
import type { DecisionPlain, DecisionSealed } from '#wire/history/applicant-payloads.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { contentOf, isErased, type PackEvent, type PackFile } from './evidence-builder.ts'
import { add, inFolder, opened } from './history-fixtures.ts'
import { checked } from './support/acts.ts'
import { startTestConsole } from './support/console.ts'
import { seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'

const by = { at: 1_760_000_100_000, operator: 'anna' }
const period = { edges: [by.at - 1000, by.at + 1_000_000], offsets: [{ from: 0, minutes: 0 }] }
function value<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(result.failure.code)
  return result.value
}
const write = <T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): T =>
  value(engine.commit([job])[0] as Result<T, Failure>)
const namesOf = (part: PackEvent['sealed'] | undefined): readonly string[] =>
  part && !isErased(part) ? part.shown.map(([, name]) => name) : []

it(
  'counts the answers in sight and the documents that this person opened, in 300 scripted decisions and their rates',
  async ({ task }) => {
    const turns = 300 * times
    await inFolder((folder) => {
      const engine = opened(folder)
      for (const db of [engine.dbs.history, engine.dbs.subjects, engine.dbs.search]) db.pragma('synchronous = OFF')
      const pick = seeded(5)
      const rates = { unopened: { part: 0, of: 0 }, unshown: { part: 0, of: 0 } }
      const own = new Map<string, typeof rates>()
      const figures = () => {
        engine.columns.all()
        const query = { period, before: { from: 0, until: 1 } }
        const counted = engine.decisions.figures(query, by.at, Infinity)
        return counted.kind === 'counted' ? counted : undefined
      }
      const operations = [
        'get-applicant-details',
        'validate-applicant-id-document',
        'validate-applicant-documents'
      ] as const
      for (let turn = 0; turn < turns; turn += 1) {
        const applicant = `APP-${turn}`
        // Anna has given herself a name since she opened them.
        const [operator = '', account = operator] = [['Anna Berg (anna)', 'anna'], ['ben'], ['cleo']][turn % 3] ?? []
        const shown: string[] = []
        const list: object[] = []
        const counts = { answers: [0, 0], documents: [0, 0] }
        // The newest answer of each operation stands; earlier ones are looked at, and count for nothing.
        for (const operation of operations.slice(0, 1 + pick(operations.length)))
          for (const stands of [false, true]) {
            const id = add(engine, { applicant, operation })
            const { seq, input } = engine.reader.summary(engine.reader.seq(id) ?? 0)
            const isSeen = pick(2) === 0
            if (isSeen) shown.push(id)
            const fields = Object.keys(input).filter((name) => name !== 'applicant_id')
            const views = fields.flatMap((field) =>
              pick(2) === 0 ? [{ field, source: pick(2) === 0 ? 'kept' : 'link' }] : []
            )
            for (const { field, source } of views) {
              const plain = { field, type: 'jpeg', bytes: 10, source } as const
              for (const viewer of [...(pick(2) === 0 ? ['anna'] : []), 'ben'])
                write(engine, (writer) =>
                  engine.audit.note(writer, {
                    kind: 'document.viewed',
                    plain,
                    about: { recordId: id },
                    ...by,
                    operator: viewer
                  } as never)
                )
            }
            if (!stands) continue
            const mine = engine.dbs.history
              .prepare("SELECT plain FROM event WHERE kind = 'document.viewed' AND record = ?")
              .pluck()
              .all(seq)
              .map((plain) => JSON.parse(String(plain)) as { field: string; source: string; operator: string })
              .filter((view) => view.operator === account)
            counts.answers = [(counts.answers[0] ?? 0) + Number(isSeen), (counts.answers[1] ?? 0) + 1]
            counts.documents = [(counts.documents[0] ?? 0) + mine.length, (counts.documents[1] ?? 0) + fields.length]
            list.push(...(isSeen ? [{ record: seq }] : []))
            list.push(...mine.map(({ field, source }) => ({ record: seq, field, source })))
          }
        const { evidence } = value(engine.applicants.read.show(applicant))
        const draft = { applicantId: applicant, decision: 'approve' as const, reasons: [], note: '', evidence }
        const made = write(engine, (writer) =>
          engine.applicants.decide(writer, draft, { at: by.at + turn, operator, shown })
        )
        expect(made.decision?.seen, applicant).toEqual(counts)
        const event = engine.events.get<DecisionPlain, DecisionSealed>(made.decision?.seq ?? 0)
        expect(new Set(event.sealed?.seenList?.map((each) => JSON.stringify(each)))).toEqual(
          new Set(list.map((each) => JSON.stringify(each)))
        )
        const [[inSight = 0, answers = 0], [opened = 0, documents = 0]] = [counts.answers, counts.documents]
        const person = turn % 3 === 0 ? 'Anna Berg' : operator
        const personal = own.get(person) ?? { unopened: { part: 0, of: 0 }, unshown: { part: 0, of: 0 } }
        own.set(person, personal)
        for (const each of [rates, personal]) {
          each.unshown.of += 1
          if (inSight < answers) each.unshown.part += 1
          if (documents > 0) each.unopened.of += 1
          if (documents > 0 && opened === 0) each.unopened.part += 1
        }
        // Two people, or fewer decisions than 30, have no rate.
        const enough = Object.entries(rates).filter(([, { of }]) => of >= 30)
        if (turn % 20 === 1) expect(figures()?.looked).toEqual(Object.fromEntries(enough))
      }
      expect(figures()?.looked).toEqual(rates)
      expect(rates.unopened.of).toBeLessThan(turns)
      expect(rates.unopened.part).toBeGreaterThan(30)
      const one = engine.decisions.figures(
        { period, before: { from: 0, until: 1 }, reviewer: 'Anna Berg' },
        by.at,
        Infinity
      )
      expect(one).not.toHaveProperty('looked')
      expect(one).not.toHaveProperty('lookedByPerson')
      // Of each person with 30 decisions or more, by the name alone.
      const people = ['Anna Berg', 'ben', 'cleo']
      expect(figures()?.lookedByPerson).toEqual(
        people.map((name) => ({
          name,
          ...Object.fromEntries(Object.entries(own.get(name) ?? {}).filter(([, { of }]) => of >= 30))
        }))
      )
      for (const name of people) expect(own.get(name)?.unshown.of).toBe(turns / 3)
      // Two people of the three.
      const early = { ...period, edges: [by.at, by.at + 1, by.at + 2] }
      expect(engine.decisions.figures({ period: early, before: { from: 0, until: 1 } }, by.at, Infinity)).toMatchObject(
        {
          decided: 2,
          looked: {}
        }
      )
      counted(task, { decisions: turns, differing: 0 })
      engine.close()
    })
  },
  60_000 * times
)

it('states the class of time that the window says, sealed, only where the policy asks for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-focus-'))
  const file = join(folder, 'policies.json')
  const ask = (ReviewProof: string, more: object = {}) =>
    writeFileSync(file, JSON.stringify({ format: 'veridesk-policies', version: 1, policies: { ReviewProof, ...more } }))
  ask('documents-and-time')
  const policies = { ...fileReader(file, [process.getuid?.() ?? 0]), confirmAfter: 1 }
  const console = await startTestConsole(undefined, 'tester', { policies })
  const decide = async (applicantId: string, more: object) => {
    const { evidence } = await console.get('applicants.show', { applicantId })
    const draft = { applicantId, decision: 'approve' as const, reasons: ['reviewed-by-hand'], note: 'seen', evidence }
    return (await console.get('decisions.make', { ...draft, ...more })).decision
  }
  try {
    const shown = [await checked(console, 'PRACTICE-one')]
    // Without a document and in the background; all of it; and by a window that says nothing.
    for (const focus of ['under-5', 'more'] as const) {
      const made = await decide('PRACTICE-one', { shown, focus })
      expect(made).toMatchObject({ seen: { answers: [1, 1], documents: [0, 0] }, focus })
    }
    expect(await decide('PRACTICE-one', { shown })).not.toHaveProperty('focus')
    const last = await decide('PRACTICE-one', { shown, focus: 'under-60' })
    for (const [profile, names] of [
      ['full', ['focus', 'note', 'reasons', 'seenList']],
      ['no-personal-data', []]
    ] as const) {
      console.save = console.fileAt(`${profile}.veridesk-evidence.json`)
      await console.get('evidence.create', { about: { kind: 'applicant', id: 'PRACTICE-one' }, profile, pdf: false })
      const text = readFileSync(console.save, 'utf8')
      expect(checkPack(text).findings.filter(({ passed }) => !passed)).toEqual([])
      const made = contentOf(JSON.parse(text) as PackFile).events.find(({ seq }) => seq === last?.seq)
      expect(namesOf(made?.plain)).toContain('seen')
      expect(namesOf(made?.plain)).not.toContain('focus')
      expect(namesOf(made?.sealed)).toEqual(names)
    }
    const query = { period, before: { from: 0, until: 1 } }
    const figures = () => console.get('overview.decisions', query)
    await expect.poll(figures).toMatchObject({ kind: 'counted', looked: {} })
    expect(await figures()).not.toHaveProperty('lookedByPerson')
    ask('documents', { ReviewRatesPerPerson: true })
    // Nobody has made 30.
    await expect.poll(figures, { timeout: 20_000 }).toMatchObject({ lookedByPerson: [] })
    await expect
      .poll(async () => (await decide('PRACTICE-one', { shown, focus: 'more' }))?.focus, { timeout: 20_000 })
      .toBeUndefined()
  } finally {
    await console.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

it('is the window’s word for answers, nothing for many, and nothing at all where a policy says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-seen-'))
  const file = join(folder, 'policies.json')
  const policies = { ...fileReader(file, [process.getuid?.() ?? 0]), confirmAfter: 1 }
  const console = await startTestConsole(undefined, 'tester', { policies })
  const decide = async (applicantId: string, shown?: string[]) => {
    const { evidence } = await console.get('applicants.show', { applicantId })
    const why = { reasons: ['reviewed-by-hand'], note: 'seen', evidence }
    const made = await console.get('decisions.make', {
      applicantId,
      decision: 'approve',
      ...why,
      ...(shown && { shown })
    })
    return made.decision?.seen
  }
  try {
    const id = await checked(console, 'PRACTICE-one')
    expect(await decide('PRACTICE-one', [id])).toEqual({ answers: [1, 1], documents: [0, 0] })
    // Who changes a decision decides about the same answers again.
    expect(await decide('PRACTICE-one')).toEqual({ answers: [0, 1], documents: [0, 0] })
    await checked(console, 'PRACTICE-two')
    expect(await decide('PRACTICE-two')).toEqual({ answers: [0, 1], documents: [0, 0] })
    await checked(console, 'PRACTICE-three')
    await console.get('settings.change', { sampleMinimumShare: 0 })
    const set = await console.get('decisions.prepare', {
      applicantIds: ['PRACTICE-three'],
      decision: 'decline',
      share: 0
    })
    await console.get('decisions.makeMany', {
      set: { id: '00000000-0000-4000-8000-000000000001', seed: set.seed, share: 0 },
      applicants: [...set.applicants],
      decision: 'decline',
      reasons: ['reviewed-by-hand'],
      note: 'all'
    })
    const { decision } = await console.get('applicants.show', { applicantId: 'PRACTICE-three' })
    expect(decision?.seen).toEqual({ answers: [0, 1], documents: [0, 0] })

    writeFileSync(file, JSON.stringify({ format: 'veridesk-policies', version: 1, policies: { ReviewProof: 'off' } }))
    await expect
      .poll(
        async () => {
          const last = await checked(console, 'PRACTICE-off')
          return decide('PRACTICE-off', [last])
        },
        { timeout: 20_000 }
      )
      .toBeUndefined()
  } finally {
    await console.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
