/** The format of docs/figures/*.json: what one run of one section measured, where, and of which version. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

const statistics = z
  .object({ single: z.number(), median: z.number(), p95: z.number(), largest: z.number() })
  .partial()
  .strict()

const measured = z.object({ samples: z.number().int().positive(), values: statistics }).strict()

const aim = z
  .object({
    /** A statistic of the row, the ratio to its baseline, or the difference from it. */
    of: z.enum(['single', 'median', 'p95', 'largest', 'ratio', 'difference']),
    value: z.number(),
    atMost: z.number(),
    /** A ratio of unnoticeably short times does not matter: below this median the target is met. */
    orBelow: z.number().optional(),
    met: z.boolean()
  })
  .strict()

const row = z
  .object({
    name: z.string().min(1),
    unit: z.enum(['ms', 's', 'MB', 'kB', 'a second']),
    ours: measured,
    beside: measured
      .extend({
        what: z.string().min(1),
        /** Why the ratio cannot be held against Veridesk. */
        cannotWin: z.string().optional()
      })
      .strict()
      .optional(),
    aims: z.array(aim)
  })
  .strict()

const table = z
  .object({ columns: z.array(z.string()), rows: z.array(z.array(z.union([z.string(), z.number()]))) })
  .strict()

const contents = z
  .object({
    format: z.literal('veridesk-figures/1'),
    command: z.enum(['bench', 'prove']),
    section: z.string().min(1),
    /** Of package.json. */
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    /** Null outside a git checkout. */
    commit: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .nullable(),
    /** Whether every tracked file matched that commit, except the figures and their pages. */
    clean: z.boolean(),
    /** The day of the commit. Null outside a git checkout. */
    committedOn: z.iso.date().nullable(),
    startedAt: z.iso.datetime(),
    seconds: z.number().nonnegative(),
    machine: z
      .object({
        processor: z.string(),
        cores: z.number().int().positive(),
        memoryGiB: z.number(),
        system: z.string(),
        loadAtStart: z.number(),
        loadAtEnd: z.number()
      })
      .strict(),
    versions: z.object({ node: z.string(), chromium: z.string().optional(), electron: z.string().optional() }).strict(),
    /** The run's own remarks, as sentences. */
    notes: z.array(z.string()),
    rows: z.array(row),
    table: table.optional(),
    /** Parts that this machine cannot run, and why. */
    notRun: z.array(z.object({ name: z.string().min(1), why: z.string().min(1) }).strict()).optional(),
    faults: z.object({ count: z.number().int().nonnegative(), first: z.array(z.string()) }).strict()
  })
  .strict()

export type Figures = z.infer<typeof contents>
export type Row = z.infer<typeof row>
export type Aim = z.infer<typeof aim>
export type NotRun = NonNullable<Figures['notRun']>[number]
export type Table = z.infer<typeof table>
export type Values = z.infer<typeof statistics>

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The file's text. Its last field is a digest of the others, to detect edited figures. */
export function figuresText(figures: Figures): string {
  return `${JSON.stringify({ ...figures, sum: sumOf(JSON.stringify(figures)) }, null, 2)}\n`
}

/** Reads a file's text. Throws if its format is wrong or it was changed after its run. */
export function readFigures(text: string): Figures {
  const { sum, ...rest } = JSON.parse(text) as Record<string, unknown>
  const figures = contents.parse(rest)
  if (sum !== sumOf(JSON.stringify(rest)))
    throw new Error(`the figures of “${figures.section}” are not those that their run wrote`)
  return figures
}
