/** Connects to the display repeatedly, one connection at a time; reports how often it was accepted. */
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'

const display = /^:(\d+)/.exec(process.env['DISPLAY'] ?? '')?.[1]
if (display === undefined) throw new Error('there is no display')
const cookie = Buffer.from(
  /MIT-MAGIC-COOKIE-1\s+([0-9a-f]{32})/.exec(execFileSync('xauth', ['list'], { encoding: 'utf8' }))?.[1] ?? '',
  'hex'
)
const name = Buffer.from('MIT-MAGIC-COOKIE-1\0\0')

/**
 * The setup request of the X protocol, version 11: byte order, version, and the cookie with its name, each padded to
 * four bytes.
 */
const setup = Buffer.alloc(12)
setup.write('l', 0, 'latin1')
setup.writeUInt16LE(11, 2)
setup.writeUInt16LE(18, 6)
setup.writeUInt16LE(cookie.length, 8)
const request = Buffer.concat([setup, name, cookie])

function letIn(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(`/tmp/.X11-unix/X${display}`, () => socket.write(request))
    socket.once('data', (reply) => {
      resolve(reply[0] === 1)
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}

const times = Number(process.argv[2])
let count = 0
for (let n = 0; n < times; n += 1) if (await letIn()) count += 1
console.log(count)
