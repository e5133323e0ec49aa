/**
 * The entry of Electron's program. It is started as the console's window, as the command line, or by the command line
 * as one of its workers. Each file is loaded only for its role; Electron waits for all that is awaited here before it
 * opens a display.
 */
import { roleOf } from './role.ts'

const role = roleOf(process.argv.slice(1))
if (role.kind === 'window') await import('./open.ts')
else await import('./command-line.ts').then(({ begin }) => begin(role))
