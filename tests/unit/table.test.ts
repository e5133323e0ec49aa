/** The table of operations is valid, and it is the only one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import {
  applicantFieldOf,
  detailsOperation,
  isOperationId,
  operationIds,
  operationOf,
  operations,
  type OperationDeclaration
} from '#contract/verification/operations.ts'
import { inputFaults } from '#contract/verification/verification.ts'
import { commands, flagOf } from '../../electron/hosts/cli/commands.ts'

const declared: readonly OperationDeclaration[] = operations
const unique = (texts: readonly string[]): boolean =>
  new Set(texts.map((text) => text.toLowerCase())).size === texts.length

describe('the table', () => {
  it('has ids, paths and titles of their own', () => {
    expect(unique(declared.map(({ id }) => id))).toBe(true)
    expect(unique(declared.map(({ path }) => path))).toBe(true)
    expect(unique(declared.map(({ title }) => title))).toBe(true)
    expect(unique(declared.map(({ shortTitle }) => shortTitle))).toBe(true)
  })

  it.each(declared)(
    '$id: id and path agree, texts are whole',
    ({ id, path, shortTitle, summary, fields, statedStatuses }) => {
      expect(path.split('/').at(-1)).toBe(id)
      expect(path).toMatch(/^\/kyc-api\/v1\.0\/kyc\/[a-z-]+$/)
      expect(shortTitle.split(' ').length).toBeLessThanOrEqual(3)
      expect(summary).toMatch(/^[A-Z].*\.$/)
      expect(fields.length).toBeGreaterThan(0)
      expect(unique(statedStatuses.map(({ status }) => String(status)))).toBe(true)
      expect(operationOf(id as never).path).toBe(path)
    }
  )

  it.each(declared)('$id: names, flags, labels and aliases of its fields are told apart', ({ fields }) => {
    expect(unique(fields.map(({ name }) => name))).toBe(true)
    expect(unique(fields.map(flagOf))).toBe(true)
    expect(unique(fields.map(({ label }) => label))).toBe(true)
    // A heading that matches two fields would put a value into the wrong one.
    expect(unique(fields.flatMap(({ name, aliases }) => [name, ...aliases]))).toBe(true)
    for (const { name, help } of fields) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(help).toMatch(/\.$/)
    }
  })

  it.each(declared)('$id: its own examples can be sent', ({ id, fields }) => {
    const input = Object.fromEntries(fields.map(({ name, example }) => [name, example]))
    expect(inputFaults(id as never, input)).toEqual({})
  })

  it('has a field of one flag hold one kind of value everywhere, and none that a command uses otherwise', () => {
    const kinds = new Map<string, string>()
    for (const field of declared.flatMap(({ fields }) => fields)) {
      expect(kinds.get(flagOf(field)) ?? field.kind).toBe(field.kind)
      kinds.set(flagOf(field), field.kind)
    }
    const optionHelp = new Map(Object.entries(commands.verify.options))
    for (const [flag, kind] of kinds)
      expect(optionHelp.get(flag)).toMatchObject({ type: 'string', value: kind === 'url' ? 'URL' : 'ID' })
  })

  it('is what the look-ups read', () => {
    expect(operationIds).toEqual(declared.map(({ id }) => id))
    expect(['', 'validate', 'toString', '__proto__', 'VALIDATE-PASSPORT'].filter(isOperationId)).toEqual([])
    expect(() => operationOf('nothing' as never)).toThrow('no operation')
    for (const { id, fields } of declared)
      expect(applicantFieldOf(id as never)).toBe(fields.find(({ kind }) => kind === 'applicant-id')?.name)
  })

  it('has three headers of their own', () => {
    expect(credentials).toHaveLength(3)
    expect(unique(credentials.map(({ header }) => header))).toBe(true)
    expect(unique(credentials.map(({ id }) => id))).toBe(true)
    expect(unique(credentials.map(({ placeholder }) => placeholder))).toBe(true)
  })
})

const root = join(import.meta.dirname, '..', '..')

/** Every source file outside contract/, docs/ and tests/, with its lines except comments. */
function sources(folders = ['electron', 'kit', 'renderer', 'practice', 'scripts']): { file: string; code: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|mts|cts|js|mjs|cjs|vue|sql|html|sh)$/.test(entry.name))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        const lines = readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => !/^\s*(\*|\/\*|\/\/|<!--|--|#)/.test(line))
        return { file: relative(root, path), code: lines.join('\n') }
      })
  )
}

const escaped = (text: string): string => text.replace(/[-/\\^$*+?.()|[\]{}]/g, '\\$&')
/** The text as a whole word: not as a part of a longer name, so `Proxy-Authorization` does not match. */
const alone = (text: string): RegExp => new RegExp(`(?<![\\w-])${escaped(text)}(?![\\w-])`, 'i')
const quoted = (text: string): RegExp => new RegExp(`(['"\`])${escaped(text)}\\1`, 'i')

describe('no file outside contract/ holds a second list', () => {
  const files = sources()
  const holding = (pattern: RegExp, among = files): string[] =>
    among.filter(({ code }) => pattern.test(code)).map(({ file }) => file)

  const listing = (patterns: readonly RegExp[]): string[] =>
    files.filter(({ code }) => patterns.filter((pattern) => pattern.test(code)).length > 1).map(({ file }) => file)
  const ids = declared.map(({ id }) => alone(id))
  const headers = credentials.map(({ header }) => (header.includes('-') ? alone(header) : quoted(header)))

  it('is looked for in the whole source tree, by patterns that know a list when they see one', () => {
    expect(files.length).toBeGreaterThan(40)
    for (const folder of ['electron', 'practice', 'scripts'])
      expect(files.some(({ file }) => file.startsWith(folder))).toBe(true)
    for (const [file, patterns] of [
      ['verification/operations.ts', ids],
      ['connections/credentials.ts', headers]
    ] as const) {
      const text = readFileSync(join(root, 'contract', file), 'utf8')
      expect(patterns.filter((pattern) => pattern.test(text))).toEqual(patterns)
    }
  })

  // One name is an example or a special case; two are the beginning of a list that would miss a seventh operation. The
  // examples choose what they show: an operation more need not be among them.
  const examples = ['electron/core/sample/examples.ts']
  it('of operations', () => {
    expect(listing(ids).toSorted()).toEqual(examples)
  })

  // A place in the table says nothing of what an operation does, and moves when one is added.
  it('of places in the table', () => {
    const placed = /\boperation(?:s|Ids)\[\d|\] = operation(?:s|Ids)(?![\w.])/
    expect(['operations[2].id', 'const [first, { id }] = operations'].filter((code) => !placed.test(code))).toEqual([])
    expect(holding(placed)).toEqual([])
    const here = relative(root, import.meta.filename)
    expect(holding(placed, sources(['tests'])).filter((file) => file !== here)).toEqual([])
  })

  it('of the operation that answers with details: the table says which one it is', () => {
    expect(declared.filter(({ answersWithDetails }) => answersWithDetails).map(({ id }) => id)).toEqual([
      detailsOperation
    ])
    const named = new RegExp(`'${detailsOperation}'`)
    expect(holding(named).filter((file) => !file.startsWith('scripts/') && !examples.includes(file))).toEqual([])
  })

  it('of headers', () => {
    expect(listing(headers)).toEqual([])
  })

  it('of paths or placeholders, not even one', () => {
    const folders = new Set(declared.map(({ path }) => path.slice(0, path.lastIndexOf('/'))))
    for (const text of [...folders, ...credentials.map(({ placeholder }) => placeholder)])
      expect(holding(new RegExp(escaped(text)))).toEqual([])
  })

  // A single field name may be another word elsewhere (an alias, a column); an operation's whole set of names is a
  // copy.
  it('of the fields of an operation that has several', () => {
    for (const { fields } of declared.filter((operation) => operation.fields.length > 1))
      expect(
        files.filter(({ code }) => fields.every(({ name }) => quoted(name).test(code))).map(({ file }) => file)
      ).toEqual([])
  })
})
