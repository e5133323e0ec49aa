/** The table of kinds in docs/evidence-format.md, compared with the events of real packs, those of version 0.1 included. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { bodyEntries, packKinds } from '#core/evidence/kinds.ts'
import type { Pack } from '#core/evidence/format-1/pack.ts'
import { check, evidenceWorkspace, savedPack, verifier, type Workspace } from './evidence-workspace.ts'
import { honestPacks } from './evidence-honest.ts'
import { answer, intentOf, lost } from './history-fixtures.ts'

const fixture = resolve(import.meta.dirname, '..', 'fixtures', 'data-folder-0.1', 'packs')
let folder: string
let workspaces: Workspace[]
let packs: Pack[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-kinds-'))
  const [first, second] = [await evidenceWorkspace(folder, 'first.person'), await evidenceWorkspace(folder, 'second.person')]
  workspaces = [first, second]
  const honest = Object.values(await honestPacks(folder, first, second)) as Pack[]
  const by = { at: Date.now(), operator: 'first.person' }
  const applicantId = 'APP-EVERY-KIND'
  const unknown = await check(first, lost, applicantId)
  const done = async (asked: Promise<{ readonly ok: boolean }>): Promise<void> => expect(await asked).toMatchObject({ ok: true })
  await done(first.store.resolve(unknown, 'processed', 'Seen at the provider', by))
  await done(first.store.applicants.tag(applicantId, ['urgent'], by))
  await done(first.store.applicants.due({ applicantId, due: Date.now() + 86_400_000 }, by))
  const begun = await first.store.begin(intentOf({ operation: 'validate-passport' }))
  if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
  await first.store.finish(begun.value.id, answer('Valid'))
  await done(first.store.applicants.link(begun.value.id, applicantId, by))
  await done(first.store.applicants.unlink(begun.value.id, by))
  const old = readdirSync(fixture).map((name) => JSON.parse(readFileSync(join(fixture, name), 'utf8')) as Pack)
  packs = [...honest, ...old, (await savedPack(first, folder, { kind: 'applicant', id: applicantId })).pack]
})
afterAll(async () => {
  for (const { store } of workspaces) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const namesIn = (text: string | undefined | null): string[] => (text ? Object.keys(JSON.parse(text) as object) : [])

test('every event and entry in a pack is in the table, and every kind of the table is in a pack', () => {
  const seen = new Set<string>()
  for (const { content } of packs) {
    for (const { kind, plain, payload } of content.events) {
      const listed = packKinds[kind as keyof typeof packKinds]
      seen.add(kind)
      expect(listed, kind).toBeTruthy()
      for (const name of namesIn(plain)) expect(listed?.plain, `${kind}, plain`).toHaveProperty(name)
      for (const name of namesIn(payload?.text)) expect(listed?.sealed, `${kind}, payload`).toHaveProperty(name)
    }
    for (const { payload } of content.bodies) for (const name of namesIn(payload?.text)) expect(bodyEntries).toHaveProperty(name)
  }
  expect([...seen].sort()).toEqual(Object.entries(packKinds).flatMap(([kind, listed]) => (listed ? [kind] : [])).sort())
})

test('the stand-alone verifier has words for every kind of the table', async () => {
  const { eventsInWords } = (await import(verifier)) as { eventsInWords(of: { readonly pack: Pack }): Iterable<{ readonly title: string }> }
  for (const pack of packs) {
    const titles = Array.from(eventsInWords({ pack }), ({ title }) => title)
    for (const [index, { kind }] of pack.content.events.entries()) expect(titles[index]).not.toBe(kind)
  }
})
