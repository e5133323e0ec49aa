/**
 * zod compiles schemas with `new Function` by default, which the content security policy forbids. This is the object in
 * which all copies of zod keep their configuration, so that zod itself is not loaded at the start.
 */
interface WithZod {
  __zod_globalConfig?: { jitless?: boolean }
}

const configuration = ((globalThis as WithZod).__zod_globalConfig ??= {})
configuration.jitless = true
