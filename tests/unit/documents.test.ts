/** The handwritten documents name existing files, links, scripts, parts of the tests and folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../electron/hosts/cli/commands.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const inFolder = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...inFolder('docs'), ...inFolder('docs/decisions')]
const all = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), (match) => match[1] ?? '')
/** The headings of a page as a link names them. */
const anchors = (text: string): string[] =>
  all(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
  )

describe.each(files)('%s', (file) => {
  const text = read(file)

  it('names files and links that are there', () => {
    const links = all(text, /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g).map((link) => join(dirname(file), link))
    const folders = /^(?:contract|electron|renderer|practice|tests|scripts|docs|verifier)\//
    const named = all(text, /`([\w./-]+)`/g).filter((path) => folders.test(path))
    expect([...links, ...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('links to headings that are there', () => {
    const links = Array.from(text.matchAll(/\]\(([^)#:\s]*)#([^)\s]+)\)/g), ([, page, heading]) => ({ page, heading }))
    const target = (page = ''): string => (page === '' ? file : join(dirname(file), page))
    expect(links.filter(({ page, heading }) => !anchors(read(target(page))).includes(heading ?? ''))).toEqual([])
  })

  it('names scripts, parts of the tests and commands that there are', () => {
    const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)
    expect(all(text, /npm run ([\w:-]+)/g).filter((name) => !scripts.includes(name))).toEqual([])
    const parts = ['check', 'lint', 'types', 'rules', 'unused', 'docs', 'unit', 'service', 'app', 'preview', 'electron']
    expect(all(text, /npm test -- ([a-z]+)/g).filter((name) => !parts.includes(name))).toEqual([])
    const known = Object.values(commands).map(({ words }) => words.join(' '))
    const used = all(text, /^npm run cli -- (.+)$/gm).filter(
      (line) => line !== 'help' && !/^(help|COMMAND)\b/.test(line)
    )
    expect(used.filter((line) => !known.some((words) => line === words || line.startsWith(`${words} `)))).toEqual([])
  })
})

describe('docs/decisions', () => {
  const words = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

  it.each(inFolder('docs/decisions'))('%s has at most 400 words', (file) => {
    expect(words(read(file))).toBeLessThanOrEqual(400)
  })
})

describe('docs/architecture.md', () => {
  it('has every folder of each thread, of what they share, and every host', () => {
    const text = read('docs/architecture.md')
    const folders = (folder: string): string[] =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    for (const part of [...folders('electron').map((name) => `electron/${name}`), 'kit', 'contract']) {
      const tree = text.slice(text.indexOf(`\n${part}/`)).split('\n\n')[0] ?? ''
      for (const name of folders(part)) expect(tree, `${part}/${name}`).toMatch(new RegExp(`[ \n(]${name}[/ ,)]`))
    }
    for (const name of folders('renderer/features')) expect(text, name).toMatch(new RegExp(`[ (]${name}[ ,.)\n]`))
  })
})

it('CONTRIBUTING.md shows an action as it stands in the code', () => {
  const section = read('CONTRIBUTING.md').split('## Adding an action')[1] ?? ''
  const shown = all(section, /```ts\n\s*([^`]+?)\n\s*```/g)
  const places = [
    'contract/applicants/channels.ts',
    'electron/core/ipc/applicants.ts',
    'electron/wire/history/applicants.ts',
    'electron/store/applicants/applicants.ts'
  ]
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
  expect(shown.map((line, index) => oneLine(read(places[index] ?? '')).includes(oneLine(line)))).toEqual(
    places.map(() => true)
  )
})
