/**
 * A line to PostgreSQL that gives nothing away: it never sends a password, in clear or as MD5, whatever the server asks
 * for, and neither an endless nor a malformed answer reaches the rest of the process.
 */
import type { Duplex } from 'node:stream'
import Connection from 'pg/lib/connection.js'
import { failure, type Failure } from '#contract/failures/failures.ts'

/** An error that carries the failure to report. */
export class TeamFault extends Error {
  readonly failure: Failure
  constructor(given: Failure) {
    super(given.code)
    this.failure = given
  }
}

export interface Guard {
  readonly host: string
  /** Most bytes between two questions. */
  readonly answerBytes: number
  /** Called for each part of an answer. */
  onPart(): void
}

export class GuardedConnection extends Connection {
  private readonly guard: Guard
  private bytes = 0

  constructor(config: ConstructorParameters<typeof Connection>[0], guard: Guard) {
    super(config)
    this.guard = guard
  }

  /** A new question is asked: its answer has the whole allowance. */
  expectAnswer(): void {
    this.bytes = 0
  }

  /** The driver calls this for a server that asks for a password instead of a proof. */
  override password(): void {
    this.stop(new TeamFault(failure('team-sign-in-insecure', { host: this.guard.host, reason: 'password' })))
  }

  /** The driver's parser throws for messages that it does not know, within an event of the socket. */
  override attachListeners(stream: Duplex): void {
    super.attachListeners({
      on: (event: string, listener: (...given: never[]) => void) => {
        stream.on(event, event === 'data' ? this.guarded(listener as (part: Buffer) => void) : (listener as () => void))
        return stream
      }
    })
  }

  private guarded(read: (part: Buffer) => void): (part: Buffer) => void {
    const { host, answerBytes, onPart } = this.guard
    return (part) => {
      if (this.stream.destroyed) return
      this.bytes += part.length
      if (this.bytes > answerBytes)
        return this.stop(
          new TeamFault(failure('team-answer-unusable', { host, reason: 'too-large', limitBytes: answerBytes }))
        )
      onPart()
      try {
        read(part)
      } catch {
        this.stop(new TeamFault(failure('team-answer-unusable', { host, reason: 'malformed' })))
      }
    }
  }

  private stop(fault: TeamFault): void {
    this.emit('error', fault)
    this.stream.destroy()
  }
}
