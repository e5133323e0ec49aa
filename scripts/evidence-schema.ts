/** `docs/evidence/values.schema.json`, as far as code declares what it says. Pure. */
import { decisions } from '#contract/applicants/applicants.ts'
import { batchResolutions } from '#contract/batches/batches.ts'
import { redactionProfiles } from '#contract/evidence/evidence.ts'
import { recordContextValues } from '#contract/history/record-context.ts'
import { resolutions } from '#contract/history/records.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { packKinds } from '#core/evidence/kinds.ts'

type Schemas = Readonly<Record<string, object>>
interface Part {
  readonly properties?: Schemas
  readonly anyOf?: readonly [Part, ...object[]]
}
interface Described {
  readonly properties: { readonly plain: Part; readonly sealed: Part }
}
interface ValuesSchema {
  readonly oneOf: readonly object[]
  readonly $defs: Readonly<Record<string, unknown>>
}

const types: Readonly<Record<string, string>> = { text: 'string', true: 'boolean', number: 'integer' }
/** The type that a description of a value begins with. */
function typeOf(words: string): object {
  const type = types[/^\w+/.exec(words)?.[0] ?? '']
  if (type === undefined) throw new Error(`“${words}” does not begin with text, true or number`)
  return { type }
}

/** By kind, of its plain values. What is more than a type or a choice is written by hand. */
const declared: Readonly<Record<string, Schemas>> = {
  'record.begun': Object.fromEntries(Object.entries(recordContextValues).map(([name, words]) => [name, typeOf(words)])),
  'record.ended': { outcome: { enum: outcomeIds } },
  'record.resolved': { as: { enum: resolutions } },
  'batch.resolved': { as: { enum: batchResolutions } },
  'pack.made': { profile: { enum: redactionProfiles.map(({ id }) => id) } },
  'decision.made': { decision: { enum: decisions } }
}

/** Exactly the values of the table: those that code declares, and those that are written by hand. */
function withValues(part: Part, names: readonly string[], known: Schemas, kind: string): Part {
  if (part.anyOf) return { ...part, anyOf: [withValues(part.anyOf[0], names, known, kind), ...part.anyOf.slice(1)] }
  if (names.length === 0) return part
  const properties = names.map((name) => {
    const schema = known[name] ?? part.properties?.[name]
    if (!schema) throw new Error(`values.schema.json does not say what “${name}” of ${kind} is: add it there`)
    return [name, schema] as const
  })
  return { ...part, properties: Object.fromEntries(properties) }
}

/**
 * The schema with what code declares: the names of each kind's values, the circumstances of a verification with their types,
 * and choices.
 * @throws if it lacks a kind, or a value whose type code does not declare
 */
export function valuesSchema(current: string): string {
  const schema = JSON.parse(current) as ValuesSchema
  const described = Object.entries(packKinds).flatMap(([kind, values]) => {
    if (values === null) return []
    const present = schema.$defs[kind] as Described | undefined
    if (!present) throw new Error(`values.schema.json does not describe ${kind}: add it there`)
    const { plain, sealed } = present.properties
    const properties = {
      ...present.properties,
      plain: withValues(plain, Object.keys(values.plain), declared[kind] ?? {}, kind),
      sealed: withValues(sealed, Object.keys(values.sealed), {}, kind)
    }
    return [[kind, { ...present, properties }] as const]
  })
  const { response } = schema.$defs
  const wanted = {
    ...schema,
    oneOf: described.map(([kind]) => ({ $ref: `#/$defs/${kind}` })),
    $defs: { ...Object.fromEntries(described), response }
  }
  return `${JSON.stringify(wanted, null, 2)}\n`
}
