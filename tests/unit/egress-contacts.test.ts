/** The output of strace, from which the proof reads where a console connects. */
import { describe, expect, it } from 'vitest'
import { contactsIn } from '../../scripts/prove/window/contacts.ts'

describe('contacts in a trace', () => {
  it.each([
    [
      'a connection',
      '3295  connect(15<TCP:[11843048]>, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")}, 16 <unfinished ...>',
      { to: '127.0.0.1', port: 9, protocol: 'TCP', sends: false }
    ],
    [
      'a connection over IPv6',
      '7  connect(18<TCPv6:[1]>, {sa_family=AF_INET6, sin6_port=htons(443), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = 0',
      { to: '2001:db8::1', port: 443, protocol: 'TCP', sends: false }
    ],
    [
      'a name server',
      '3240  connect(94<UDP:[0.0.0.0:23947]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.255.255.53")}, 16) = -1 ENETUNREACH',
      { to: '10.255.255.53', port: 53, protocol: 'UDP', sends: false }
    ],
    [
      'a datagram on a connected socket',
      '9  sendto(19<UDP:[10.0.0.2:23947->10.255.255.53:53]>, ""..., 30, MSG_NOSIGNAL, NULL, 0) = 30',
      { to: '10.255.255.53', port: 53, protocol: 'UDP', sends: true }
    ],
    [
      'one over IPv6',
      '9  sendmmsg(19<UDPv6:[[::1]:5353->[2001:db8::1]:53]>, [], 1, MSG_NOSIGNAL) = 1',
      { to: '2001:db8::1', port: 53, protocol: 'UDP', sends: true }
    ],
    [
      'a datagram to an address',
      '9  sendto(19<UDP:[0.0.0.0:1]>, ""..., 30, 0, {sa_family=AF_INET, sin_port=htons(123), sin_addr=inet_addr("192.0.2.1")}, 16) = 30',
      { to: '192.0.2.1', port: 123, protocol: 'UDP', sends: true }
    ]
  ])('are read from %s', (_what, line, contact) => {
    expect(contactsIn(`1  <... sendmsg resumed>) = 11\n${line}\n`)).toEqual([contact])
  })

  it.each([
    [
      'a bus',
      '3  connect(94<UNIX-STREAM:[1184]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT'
    ],
    [
      'an answer on a connection',
      '3  sendto(64<TCP:[127.0.0.1:46163->127.0.0.1:59254]>, ""..., 16, MSG_NOSIGNAL, NULL, 0) = 16'
    ],
    ['the kernel', '3  sendto(64<NETLINK:[ROUTE:12]>, ""..., 20, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 20']
  ])('are not %s', (_what, line) => {
    expect(contactsIn(line)).toEqual([])
  })
})
