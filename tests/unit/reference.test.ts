/** The generated reference matches the tables. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { operations } from '#contract/verification/operations.ts'
import { triggers } from '#practice/triggers.ts'
import { commands } from '../../electron/hosts/cli/commands.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { commandLinePage, operationsPage, practicePage } from '../../scripts/reference-pages.ts'
import { valuesSchema } from '../../scripts/evidence-schema.ts'
import { referencePages } from '../../scripts/reference.ts'

const root = join(import.meta.dirname, '..', '..')

describe('the reference', () => {
  it.each(referencePages(root))(
    '$file has not drifted from the tables (else: npm run reference)',
    ({ current, wanted }) => {
      expect(current).toBe(wanted)
    }
  )

  it('names every operation, path, field, alias, flag and header', () => {
    const page = operationsPage()
    for (const { id, path, title, summary, fields } of operations) {
      for (const text of [`## ${title}\n`, `\`POST ${path}\``, `\`${id}\``, summary]) expect(page).toContain(text)
      for (const { name, help, aliases } of fields) {
        for (const text of [
          `\`${name}\``,
          help,
          `\`--${name.replaceAll('_', '-')} `,
          ...aliases.map((alias) => `\`${alias}\``)
        ])
          expect(page).toContain(text)
      }
    }
    for (const { header, placeholder } of credentials) expect(page).toContain(`'${header}: ${placeholder}'`)
  })

  it('names every command, option and exit code', () => {
    const page = commandLinePage()
    for (const { words, options } of Object.values(commands)) {
      expect(page).toContain(`## ${words.join(' ')}\n`)
      for (const option of Object.keys(options)) expect(page).toContain(`--${option}`)
    }
    for (const { code, meaning } of Object.values(exitCodes)) expect(page).toContain(`| ${code} | ${meaning} |`)
  })

  it('names every trigger, and keeps what is written by hand', () => {
    const { wanted } = referencePages(root).find(({ file }) => file.endsWith('practice.md')) ?? { wanted: '' }
    for (const { name } of triggers) expect(wanted).toContain(`| \`${name}\``)
    const changed = wanted.replace('# The practice service', '# Practice').replace('`pass`', '`bass`')
    expect(practicePage(changed)).toBe(wanted.replace('# The practice service', '# Practice'))
    expect(() => practicePage('# A page without marks')).toThrow('marks')
  })

  it('has what code declares of the values of events, and keeps what is written by hand', () => {
    const { wanted } = referencePages(root).find(({ file }) => file.endsWith('values.schema.json')) ?? { wanted: '' }
    type Begun = Record<'record.begun', { properties: { plain: { properties: Record<string, object> } } }>
    const changed = (change: (plain: Record<string, object>) => void): string => {
      const schema = JSON.parse(wanted) as { $defs: Begun }
      change(schema.$defs['record.begun'].properties.plain.properties)
      return valuesSchema(JSON.stringify(schema))
    }
    // A circumstance that is new, of another type, or not recorded any more.
    expect(changed((plain) => delete plain['timeZone'])).toBe(wanted)
    expect(changed((plain) => Object.assign(plain, { linksScrubbed: { type: 'string' }, gone: {} }))).toBe(wanted)
    expect(changed((plain) => Object.assign(plain, { batchRow: { const: 7 } }))).toContain('"const": 7')
    expect(() => changed((plain) => delete plain['batchRow'])).toThrow('“batchRow” of record.begun')
  })

  it('is checked by the command as well', () => {
    expect(() =>
      execFileSync(process.execPath, [join(root, 'scripts', 'reference.ts'), '--check'], { stdio: 'pipe' })
    ).not.toThrow()
  })
})
