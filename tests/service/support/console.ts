/** A complete core for tests: real workers, real files, the practice service on a real socket. */
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { AnswerOf, Answers, ChannelName, ConsoleEvent, RequestOf } from '#contract/ipc/ipc.ts'
import { createConsole } from '#core/console.ts'
import type { VerideskConsole } from '#core/console-interface.ts'
import type { HostPorts } from '#core/ports/host.ts'
import { startPracticeService } from '#practice/service.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { launchWorkers } from './workers.ts'

type Practice = Awaited<ReturnType<typeof startPracticeService>>

export interface TestConsole {
  readonly veridesk: VerideskConsole
  readonly dataFolder: string
  /** The path of a file of the user's: none may be in the data folder. */
  fileAt(name: string): string
  readonly practice: Practice
  readonly events: ConsoleEvent[]
  /** The file that the user chooses next. */
  open?: string
  /** The path that the user chooses for saving next. */
  save?: string
  /** Milliseconds by which the console's wall clock is ahead. */
  ahead?: number
  ask<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<AnswerOf<Name>>
  /** The value of an answer that must succeed. */
  get<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<Answers[Name]>
  /** Closes the console; the folder and the practice service stay. */
  close(): Promise<void>
  /** Closes everything and removes the folder. */
  dispose(): Promise<void>
}

/** Starts a console with a new folder, or with that of an earlier one; `more` replaces ports of its host. */
export async function startTestConsole(
  earlier?: Pick<TestConsole, 'dataFolder' | 'practice'>,
  operator = 'tester',
  more: Partial<HostPorts> = {}
): Promise<TestConsole> {
  const dataFolder = earlier?.dataFolder ?? (await mkdtemp(join(tmpdir(), 'veridesk-console-')))
  const files = `${dataFolder}.files`
  const practice = earlier?.practice ?? (await startPracticeService())
  const events: ConsoleEvent[] = []
  const chosen: Pick<TestConsole, 'open' | 'save' | 'ahead'> = {}
  const veridesk = createConsole({
    kind: 'preview',
    version: '0.0.0-test',
    resources: resolve(import.meta.dirname, '..', '..', '..'),
    dataFolder,
    operator,
    clock: { ...systemClock, now: () => systemClock.now() + (chosen.ahead ?? 0) },
    launchWorker: launchWorkers,
    announce: (event) => void events.push(event),
    copyText: async () => undefined,
    readText: async () => undefined,
    clearText: async () => undefined,
    chooseFile: async () => chosen.open,
    chooseSavePath: async () => chosen.save,
    showProgress: () => undefined,
    showBadge: () => undefined,
    notify: () => undefined,
    resolveSystemProxy: async () => 'DIRECT',
    startPractice: async () => ({ ok: true, value: practice }),
    ...more
  })
  await veridesk.start()
  await veridesk.opened()
  const ask: TestConsole['ask'] = async (name, input) => (await veridesk.handle(name, input)) as AnswerOf<typeof name>
  return Object.assign(chosen, {
    veridesk,
    dataFolder,
    fileAt(name: string) {
      mkdirSync(files, { recursive: true })
      return join(files, name)
    },
    practice,
    events,
    ask,
    get: async <Name extends ChannelName>(name: Name, input?: RequestOf<Name>) => {
      const answer = await ask(name, input)
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.code}: ${sentencesOf(answer.failure).what}`)
      return answer.value as Answers[Name]
    },
    close: () => veridesk.close(),
    dispose: async () => {
      await veridesk.close()
      await practice.close()
      for (const each of [dataFolder, files]) await rm(each, { recursive: true, force: true })
    }
  })
}
