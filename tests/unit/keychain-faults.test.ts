import { expect, it } from 'vitest'
import { faultOf } from '#wire/keychain-faults.ts'

it.each([
  ['Cannot create an item in a locked collection', 'locked'],
  ['User interaction is not allowed.', 'locked'],
  ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'absent'],
  // Chromium sets this address if there is no session bus.
  ['Unknown or unsupported transport “disabled” for address “disabled:”', 'absent'],
  ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'absent'],
  ['The name org.freedesktop.secrets was not provided by any .service files', 'absent'],
  ['Could not connect: No such file or directory', 'absent'],
  ['GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: no such name', 'absent'],
  ['Failed to load keytar native addon, checked ["../build/Release"] on prebuilds/linux-x64', 'absent'],
  ['No keychain is available. You may need to restart your computer.', 'absent'],
  ['The specified keychain could not be found.', 'absent'],
  ['A default keychain could not be found.', 'absent'],
  ['A specified logon session does not exist. It may already have been terminated.', 'absent'],
  ['GDBus.Error:org.freedesktop.DBus.Error.AccessDenied: An AppArmor policy prevents this sender', 'denied'],
  ['The user name or passphrase you entered is not correct.', 'denied'],
  ['User canceled the operation.', 'denied'],
  ['Access is denied.', 'denied'],
  ["A required entitlement isn't present.", 'denied'],
  ['Timeout was reached', 'hung'],
  ['GDBus.Error:org.freedesktop.DBus.Error.NoReply: Did not receive a reply', 'hung'],
  ['Message recipient disconnected from message bus without replying', 'absent'],
  ['The name :1.0 was not provided by any .service files', 'absent'],
  // Unknown text must not be interpreted as a missing entry.
  ['Ein unbekannter Fehler', 'denied'],
  ['', 'denied']
])('reads “%s” as %s', (text, fault) => {
  expect(faultOf(text)).toBe(fault)
})
