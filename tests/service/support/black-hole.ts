/** A port whose host answers nothing: the process that listens is stopped, and its queue of connections is full. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface BlackHole {
  readonly port: number
  end(): void
}

/** Longer than a connection on loopback takes, however loaded the machine is. */
const patience = 1500

const connects = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), patience)
    socket.once('connect', () => (clearTimeout(timer), resolve(true)))
    socket.on('error', () => undefined)
  })

/**
 * Starts one. With `accepting` the system still accepts connections, and nothing reads from them; otherwise a new
 * connection gets no answer at all. Throws if the system answers in spite of a full queue.
 */
export async function startBlackHole(accepting: boolean): Promise<BlackHole> {
  const program = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: ${accepting ? 1000 : 1} }, function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line.toString())
  child.kill('SIGSTOP')
  const fillers: Socket[] = []
  const end = (): void => {
    for (const socket of fillers) socket.destroy()
    child.kill('SIGKILL')
  }
  if (accepting) return { port, end }
  for (let tries = 0; tries < 20; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    fillers.push(socket)
    if (!(await connects(socket))) return { port, end }
  }
  end()
  throw new Error('this system answers connections although the queue of the port is full')
}
