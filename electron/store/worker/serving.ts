/** Serves methods of the open history's objects themselves, by their names: one that is renamed does not compile. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineOptions } from '#wire/history/engine-options.ts'
import type { Writer } from '../records/writer.ts'

export type Answer<T> = Promise<Result<T, Failure>>
export type Job<T> = (open: Engine, options: EngineOptions) => Result<T, Failure>
export type Read = <T>(job: Job<T>) => Answer<T>
/** Committed together with the writes that arrive at the same time. */
export type Write = <T>(job: (open: Engine, writer: Writer) => Result<T, Failure>) => Answer<T>

/** What cannot fail may answer with the value itself, unless that could be taken for a result. */
type ValueIn<Answered> = Answered extends { readonly ok: true; readonly value: infer Value }
  ? Value
  : Answered extends { readonly ok: false; readonly failure: unknown }
    ? never
    : Answered extends { readonly ok: unknown }
      ? 'could be taken for a result'
      : Answered
/** A method that takes a writer does not fit: it is no read. */
type Reading<Of, Name extends keyof Of> = {
  readonly [Key in Name]: Of[Key] extends (...args: infer Args) => infer Answered
    ? (...args: Args) => Answer<ValueIn<Answered>>
    : 'is no method'
}
type Writing<Of, Name extends keyof Of> = {
  readonly [Key in Name]: Of[Key] extends (writer: Writer, ...args: infer Args) => infer Answered
    ? (...args: Args) => Answer<ValueIn<Answered>>
    : 'takes no writer first'
}

type Method = (...args: readonly unknown[]) => unknown
const named = <Methods>(names: readonly PropertyKey[], method: (name: PropertyKey) => Method): Methods =>
  Object.fromEntries(names.map((name) => [name, method(name)])) as Methods

function call(of: unknown, name: PropertyKey, args: readonly unknown[]): Result<unknown, Failure> {
  const answered = ((of as Record<PropertyKey, Method>)[name] as Method).apply(of, [...args])
  const isResult = typeof answered === 'object' && answered !== null && 'ok' in answered
  return isResult ? (answered as Result<unknown, Failure>) : ok(answered)
}

/** Methods of an object that read. */
export const reading =
  (read: Read) =>
  <Of, Name extends keyof Of>(of: (open: Engine) => Of, ...names: readonly Name[]): Reading<Of, Name> =>
    named(
      names,
      (name) =>
        (...args) =>
          read((open) => call(of(open), name, args))
    )

/** Methods of an object that write. Each takes the writer of its group first. */
export const writing =
  (write: Write) =>
  <Of, Name extends keyof Of>(of: (open: Engine) => Of, ...names: readonly Name[]): Writing<Of, Name> =>
    named(
      names,
      (name) =>
        (...args) =>
          write((open, writer) => call(of(open), name, [writer, ...args]))
    )
