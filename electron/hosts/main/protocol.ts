/** `app://console/`: the only address that the window can show; it serves the built window's files. */
import { protocol, type Session } from 'electron'
import { serveWindowFile } from '../node/renderer-files.ts'

const scheme = 'app'
export const windowOrigin = `${scheme}://console`
export const windowAddress = `${windowOrigin}/`

/** Makes the scheme a standard, secure origin, like https. Must be called before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }])
}

/** Serves the built window's folder in a session. */
export function serveWindow(session: Session, folder: string): void {
  session.protocol.handle(scheme, async (request) => {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    // A standard scheme is normalised before it arrives here; the path is validated again separately.
    const isOurs = url?.host === 'console' && url.username === '' && url.password === ''
    const file = await serveWindowFile(folder, request.method, isOurs ? url.pathname : '')
    return new Response(file.body, { status: file.status, headers: { ...file.headers } })
  })
}
