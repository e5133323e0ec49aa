/** The table of kinds in docs/evidence-format.md, compared with the events of packs of format 1. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { bodyEntries, packKinds } from '#core/evidence/kinds.ts'
import { fixture, fixtureNames, type Pack } from './evidence-1-packs.ts'
import { verifier } from './evidence-workspace.ts'

const dataFolder = resolve(import.meta.dirname, '..', 'fixtures', 'data-folder-0.1', 'packs')
const packs = [
  ...fixtureNames().map(fixture),
  ...readdirSync(dataFolder).map((name) => JSON.parse(readFileSync(join(dataFolder, name), 'utf8')) as Pack)
]

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
    for (const { payload } of content.bodies)
      for (const name of namesIn(payload?.text)) expect(bodyEntries).toHaveProperty(name)
  }
  const later = ['pack.made', 'batch.resolved', 'approval.asked', 'approval.answered', 'approval.received']
  expect([...seen].sort()).toEqual(
    Object.entries(packKinds)
      .flatMap(([kind, listed]) => (listed && !later.includes(kind) ? [kind] : []))
      .sort()
  )
})

test('the stand-alone verifier has words for every kind of the table', async () => {
  const { eventsInWords } = (await import(verifier)) as {
    eventsInWords(of: { readonly pack: Pack }): Iterable<{ readonly title: string }>
  }
  for (const pack of packs) {
    const titles = Array.from(eventsInWords({ pack }), ({ title }) => title)
    for (const [index, { kind }] of pack.content.events.entries()) expect(titles[index]).not.toBe(kind)
  }
})
