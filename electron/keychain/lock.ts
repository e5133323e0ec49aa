/** Tests whether a Secret Service that does not answer is waiting for the user at its prompt. */
import { execFile } from 'node:child_process'

const question = [
  '--session',
  '--print-reply=literal',
  '--reply-timeout=700',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked'
]

/**
 * Asks the service for the default collection's `Locked` property, bypassing libsecret, which is blocked. False if
 * the service hangs, dbus-send is missing, or the system is not Linux. Takes at most 1 s.
 */
export function isLocked(): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(false)
  return new Promise((resolve) => {
    execFile('dbus-send', question, { timeout: 1000 }, (error, output) =>
      resolve(!error && /boolean true/.test(output))
    )
  })
}
