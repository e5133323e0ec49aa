/** zod compiles schemas with `new Function` unless told not to; the content policy forbids that. Imported first, and without zod itself. */
import { config } from 'zod/v4/core'

config({ jitless: true })
