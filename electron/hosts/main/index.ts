/**
 * The entry of Electron's program. It is started as the console's window, as the command line, or by the command line
 * as one of its workers. Each file is loaded only for its role; Electron waits for all that is awaited here before it
 * opens a display.
 */
import { app } from 'electron'
import { keepUsedVariables } from '../node/environment.ts'
import { roleOf } from './role.ts'

const role = roleOf(process.argv.slice(1))
// First of all: Chromium reads some of them only after this file has been loaded. The window asks the system for its proxy.
const refused = keepUsedVariables(process.env, { installed: app.isPackaged, proxies: role.kind !== 'window' })
if (role.kind === 'window') await import('./open.ts').then(({ open }) => open(refused))
else await import('./command-line.ts').then(({ begin }) => begin(role, refused))
