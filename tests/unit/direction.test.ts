/** What places text does so by the direction of the language: `ms-2`, `pe-4`, `start-0`, never `ml-2`, `pr-4`, `left-0`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../renderer')
const views = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.vue'))

const physical =
  /(?<![\w.-])(?:[a-z0-9[\]()_.<>=-]+:)*!?-?(?:(?:ml|mr|pl|pr|border-[lr]|rounded-[lr]|rounded-[tb][lr])(?=-(?:\d|px|auto|\[|none|md|lg)|["'\s])|text-(?:left|right)(?![\w-])|(?:left|right)-(?:\d|px|auto|full|\[))[^\s"'`]*/g
const placed = (template: string): string[] =>
  [...template.matchAll(/class="([^"]*)"/g)].flatMap(([, classes = '']) => classes.match(physical) ?? [])

describe('classes of the views', () => {
  it('place text by the direction of the language', () => {
    const found = views.flatMap((path) =>
      placed(readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`)
    )
    expect(views.length).toBeGreaterThan(50)
    expect(found).toEqual([])
  })

  it.each(['ml-2', 'sm:-mr-1', '!pl-[3px]', 'border-l', 'rounded-r-none', 'text-right', 'left-0'])(
    'are found: %s',
    (name) => {
      expect(placed(`<p class="flex ${name} gap-2">`)).toEqual([name])
    }
  )

  it.each(['ms-2', 'pe-[3px]', 'border-s', 'text-end', 'start-0', 'placeholder', 'left'])('may have %s', (name) => {
    expect(placed(`<p class="flex ${name} gap-2">`)).toEqual([])
  })
})
