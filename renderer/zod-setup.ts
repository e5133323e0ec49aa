/** zod compiles schemas with `new Function` unless told not to; the content policy forbids that. Imported first. */
import { z } from 'zod'

z.config({ jitless: true })
