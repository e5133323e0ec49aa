/**
 * zod compiles schemas with `new Function` by default, which the content security policy forbids. Imported first, and
 * without zod itself.
 */
import { config } from 'zod/v4/core'

config({ jitless: true })
