/** The parts of `pg` that the transport builds on. Its main module also loads a pool and looks for a native driver. */
declare module 'pg/lib/connection.js' {
  import type { EventEmitter } from 'node:events'
  import type { Duplex } from 'node:stream'

  /** A line in the server's protocol, before anything is known about queries. */
  export default class Connection extends EventEmitter {
    constructor(config: {
      readonly ssl: object | false
      readonly keepAlive: boolean
      readonly keepAliveInitialDelayMillis: number
    })
    stream: Duplex
    attachListeners(stream: Pick<Duplex, 'on'>): void
    password(word: string): void
  }
}

declare module 'pg/lib/client.js' {
  import type { Client as PublicClient, ClientConfig } from 'pg'
  import type Connection from 'pg/lib/connection.js'

  export default class Client extends PublicClient {
    constructor(config: ClientConfig & { readonly connection: Connection; readonly enableChannelBinding: boolean })
    /** The exchange of the sign-in; null once the server has proved that it knows the password. */
    readonly saslSession: { readonly mechanism: string } | null | undefined
  }
}
