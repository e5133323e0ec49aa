/** A name that is written from right to left stays in its place in every sentence of the window. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sentencesIn } from './support/sentences.ts'

const root = join(import.meta.dirname, '../../renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /words\.ts$/.test(path))
const name = 'דנה'

/** What is left of a text without its isolated parts. */
function outside(text: string): string {
  let depth = 0
  return [...text]
    .filter((letter) => {
      if (letter === '\u2068') depth += 1
      const isOutside = depth === 0
      if (letter === '\u2069') depth -= 1
      return isOutside
    })
    .join('')
}

/** Each function with the name for each of its values, and what is said outside of isolated parts. */
async function said(path: string): Promise<readonly (readonly [key: string, text: string])[]> {
  const module = (await import(join(root, path))) as Readonly<Record<string, unknown>>
  const all = (module['words'] ?? module) as Readonly<Record<string, unknown>>
  return sentencesIn(readFileSync(join(root, path), 'utf8')).flatMap(({ key, group, values }) => {
    const words = (group === undefined ? all : all[group]) as Readonly<Record<string, unknown>> | undefined
    const word = words?.[key]
    if (typeof word !== 'function') return []
    const given: unknown[] =
      values.length > 0 ? [Object.fromEntries(values.map((value) => [value, name]))] : [[name], [name]]
    return [[`${path}: ${key}`, outside(String((word as (...all: unknown[]) => unknown)(...given)))] as const]
  })
}

it('holds in all words, for each of their values', async () => {
  const all = (await Promise.all(files.map(said))).flat()
  expect(all.length).toBeGreaterThan(400)
  expect(all.filter(([, text]) => text.includes(name))).toEqual([])
})

it('can fail', () => expect(outside(`a \u2068${name}\u2069 ${name}`)).toBe(`a  ${name}`))
