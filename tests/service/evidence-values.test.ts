/** The schema of the values by kind, docs/evidence/values.schema.json, with all that packs contain. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { bodyEntries, packKinds } from '#core/evidence/kinds.ts'
import { contentOf, isErased, type PackBody, type PackEvent, type Part } from './evidence-builder.ts'
import { genuinePacks } from './evidence-genuine.ts'
import { intentOf } from './history-fixtures.ts'
import { evidenceWorkspace, furnish, person, savedPack } from './evidence-workspace.ts'

interface Described {
  readonly properties: Readonly<Record<string, object>>
}
const schema = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'evidence', 'values.schema.json'), 'utf8')
) as {
  readonly $defs: Readonly<
    Record<
      string,
      { readonly properties: Readonly<Record<string, Described & { readonly anyOf?: readonly [Described, object] }>> }
    >
  >
}
const ajv = new Ajv2020({
  strict: true,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  formats: {}
})
ajv.addSchema(schema, 'values.schema.json')
const faults = (at: string, value: unknown): unknown =>
  ajv.validate(`values.schema.json${at}`, value) ? undefined : { value, errors: ajv.errors }

const shownOf = (part: Part): Record<string, unknown> | null =>
  isErased(part) ? null : Object.fromEntries(part.shown.map(([, name, value]) => [name, value]))
const valuesOf = (event: PackEvent): object => ({
  kind: event.kind,
  plain: shownOf(event.plain),
  sealed: event.sealed && shownOf(event.sealed)
})

function expectDescribed(content: { readonly events: readonly unknown[]; readonly bodies: readonly unknown[] }): void {
  for (const event of content.events as readonly PackEvent[]) expect(faults('', valuesOf(event))).toBeUndefined()
  for (const body of content.bodies as readonly PackBody[]) {
    const values = shownOf(body)
    if (values !== null) expect(faults('#/$defs/response', values)).toBeUndefined()
  }
}

test('has each kind and each name of the table in the format, and no others', () => {
  const names = (of: object): string[] => Object.keys(of).sort()
  const kinds = Object.entries(packKinds).flatMap(([kind, of]) => (of === null ? [] : [[kind, of] as const]))
  expect(names(schema.$defs)).toEqual([...kinds.map(([kind]) => kind), 'response'].sort())
  for (const [kind, { plain, sealed }] of kinds) {
    const described = schema.$defs[kind]?.properties
    expect(names(described?.['plain']?.properties ?? {}), kind).toEqual(names(plain))
    expect(names(described?.['sealed']?.anyOf?.[0].properties ?? {}), kind).toEqual(names(sealed))
  }
  expect(names(schema.$defs['response']?.properties ?? {})).toEqual(names(bodyEntries))
})

test('describes what the test vectors contain', () => {
  for (const { file } of Object.values(genuinePacks)) expectDescribed(contentOf(file))
})

test('describes what the console records', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-values-'))
  const workspace = await evidenceWorkspace(folder, 'recorder')
  const id = await furnish(workspace)
  const { applicants } = workspace.store
  const shown = await applicants.show(person)
  const supersedes = [['0a'.repeat(16), 7, 'bc'.repeat(32)]] as const
  const draft = {
    applicantId: person,
    decision: 'decline',
    reasons: ['reviewed-by-hand'],
    note: '',
    evidence: shown.ok ? shown.value.evidence : 0
  } as const
  expect(
    await applicants.decide(
      { ...draft, reasons: [...draft.reasons] },
      { at: 1_760_000_002_000, operator: 'first.person', supersedes }
    )
  ).toMatchObject({ ok: true })
  expect(await applicants.decisions(person)).toMatchObject({
    ok: true,
    value: [{ decision: 'decline', operator: 'first.person', supersedes }]
  })
  const shared = await workspace.store.begin({
    ...intentOf({ applicant: person, batchId: '00000000-0000-4000-8000-0000000000b1' }),
    batchRow: 3
  })
  expect(shared).toMatchObject({ ok: true })
  const packs = []
  for (const about of [
    { kind: 'record', id },
    { kind: 'applicant', id: person }
  ] as const)
    packs.push((await savedPack(workspace, folder, about)).pack.content)
  for (const content of packs) expectDescribed(content)
  const rowOf = (event: PackEvent): unknown => shownOf(event.plain)?.['batchRow']
  expect((packs[1]?.events as readonly PackEvent[]).map(rowOf)).toContain(3)
  // Which installations a team has is withheld with its staff.
  for (const profile of ['full', 'no-personal-data'] as const) {
    const { content } = (await savedPack(workspace, folder, { kind: 'applicant', id: person }, profile)).pack
    const made = (content.events as readonly PackEvent[]).find(({ kind }) => kind === 'decision.made')
    const values = made ? shownOf(made.plain) : null
    expect(values).toMatchObject({ decision: 'decline' })
    expect(values?.['supersedes']).toEqual(profile === 'full' ? supersedes : undefined)
  }
  await workspace.store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('refuses another type, another choice and a name that is not in the table', () => {
  const note = { kind: 'note.made', plain: { operator: 'first.person' }, sealed: { text: 'Seen' } }
  expect(faults('', note)).toBeUndefined()
  for (const wrong of [
    { ...note, plain: { operator: 1 } },
    { ...note, sealed: { text: 'Seen', more: true } },
    { ...note, kind: 'note.unknown' },
    { kind: 'decision.made', plain: { decision: 'maybe' }, sealed: null },
    { kind: 'record.ended', plain: { reply: { status: '200' } }, sealed: null },
    ...[[], [['0a', 7, 'bc']], [['0a'.repeat(16), 7]], 'x'].map((supersedes) => ({
      kind: 'decision.made',
      plain: { supersedes },
      sealed: null
    }))
  ])
    expect(faults('', wrong), JSON.stringify(wrong)).toBeDefined()
})
