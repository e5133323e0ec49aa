/** What places text does so by the direction of the language: `ms-2`, `pe-4`, `start-0`, never `ml-2`, `pr-4`, `left-0`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:vue|ts|css)$/.test(path))

const physical =
  /(?<![\w.-])(?:[a-z0-9[\]()_.<>=-]+:)*!?-?(?:(?:ml|mr|pl|pr|border-[lr]|rounded-[lr]|rounded-[tb][lr])(?=-(?:\d|px|auto|\[|none|md|lg)|["'\s`])|text-(?:left|right)(?![\w-])|(?:left|right)-(?:\d|px|auto|full|\[))[^\s"'`]*/g
/** Properties and values of CSS that name a side. The middle, `left: 50%`, is none. */
const sided =
  /(?<![\w-])(?:(?:margin|padding|border)-(?:left|right)(?:-\w+)?|border-(?:top|bottom)-(?:left|right)-radius|(?:left|right))\s*:(?!\s*50%)|(?:text-align|float|clear)\s*:\s*(?:left|right)/g

/** Classes in attributes, bound ones as well, and in the strings of scripts. */
const classesIn = (path: string, source: string): string[] => {
  const strings = (code: string): string[] =>
    [...code.matchAll(/(['"`])((?:(?!\1)[^\n])*)\1/g)].map(([, , text = '']) => ` ${text} `)
  if (path.endsWith('.ts')) return strings(source)
  const attributes = [...source.matchAll(/(?<![\w-])(:?)(?:[a-z]+-)?class="([^"]*)"/g)]
  const script = /<script[^>]*>(.*?)<\/script>/s.exec(source)?.[1] ?? ''
  return [
    ...attributes.flatMap(([, bound, value = '']) => (bound ? strings(value) : [` ${value} `])),
    ...strings(script)
  ]
}
const stylesIn = (path: string, source: string): string[] =>
  path.endsWith('.css') ? [source] : [...source.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = '']) => style)

/** What names a side in a file. */
function placed(path: string, source: string): string[] {
  const classes = path.endsWith('.css') ? [] : classesIn(path, source).flatMap((text) => text.match(physical) ?? [])
  const styles = path.endsWith('.ts') ? [] : stylesIn(path, source).flatMap((text) => text.match(sided) ?? [])
  return [...classes, ...styles]
}

describe('what places text', () => {
  it('does so by the direction of the language', () => {
    const found = files.flatMap((path) =>
      placed(path, readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`)
    )
    expect(files.length).toBeGreaterThan(200)
    expect(found).toEqual([])
  })

  it.each(['ml-2', 'sm:-mr-1', '!pl-[3px]', 'border-l', 'rounded-r-none', 'text-right', 'left-0'])(
    'is found in classes, bound ones and scripts: %s',
    (name) => {
      expect(placed('a.vue', `<p class="flex ${name} gap-2">`)).toEqual([name])
      expect(placed('a.vue', `<p :class="isOpen ? 'flex ${name}' : ''">`)).toEqual([name])
      expect(placed('a.ts', `export const look = 'flex ${name}'`)).toEqual([name])
    }
  )

  it.each(['margin-left: 1px', 'right: 0', 'text-align: right', 'border-top-left-radius: 2px'])(
    'is found in styles: %s',
    (rule) => {
      expect(placed('a.css', `.a { color: red; ${rule} }`)).toHaveLength(1)
      expect(placed('a.vue', `<style scoped>.a { ${rule} }</style>`)).toHaveLength(1)
    }
  )

  it.each(['ms-2', 'pe-[3px]', 'border-s', 'text-end', 'start-0', 'placeholder', 'left'])('may have %s', (name) => {
    expect(placed('a.vue', `<p class="flex ${name} gap-2">`)).toEqual([])
  })

  it.each(['inset-inline-start: 0', 'margin-inline: 1px', 'text-align: end'])('may have %s', (rule) => {
    expect(placed('a.css', `.a { ${rule} }`)).toEqual([])
  })
})
