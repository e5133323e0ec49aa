/** Reads with which addresses processes were in contact from the output of `strace -yy`, which names the protocol of each socket. */

export interface Contact {
  readonly to: string
  readonly port: number
  readonly protocol: string
  /** Whether something was sent, rather than an address set. */
  readonly sends: boolean
}

const call = /\b(connect|sendto|sendmsg|sendmmsg)\(\d+<([A-Z]+)(?:v6)?[:\]>]/
const given = [
  /sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/,
  /sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/
]
/** The other end of a connected socket, behind its own. */
const connected = /^[^(]*\(\d+<[^<>]*->\[?([^\]<>]+?)\]?:(\d+)\]>/

/** Every address over IP that a socket is connected to, and every one that a datagram is sent to. */
export function contactsIn(trace: string): Contact[] {
  return trace.split('\n').flatMap((line): Contact[] => {
    const [, name, protocol = ''] = call.exec(line) ?? []
    if (name === undefined || protocol === 'UNIX' || protocol === 'NETLINK') return []
    const [, port, to] = given.map((form) => form.exec(line)).find((found) => found !== null) ?? []
    if (to !== undefined) return [{ to, port: Number(port), protocol, sends: name !== 'connect' }]
    // What is sent over a TCP connection was connected before.
    const [, end, endPort] = (name !== 'connect' && protocol !== 'TCP' && connected.exec(line)) || []
    return end === undefined ? [] : [{ to: end, port: Number(endPort), protocol, sends: true }]
  })
}
