/** The console itself: its state, the clipboard, settings, the keychain. */
import { basename } from 'node:path'
import { maxBatchText } from '#contract/batches/rows.ts'
import type { Opening } from '#contract/app/opening.ts'
import type { appChannels } from '#contract/app/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { AskedToOpen } from '#core/ports/host.ts'
import { readRegular } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { recipeNotes, settingChanges } from '#core/audit/changes.ts'
import { readCaFile } from '#wire/trust.ts'
import { draftsWithout } from './kept-texts.ts'
import { saveSupportBundle } from '#core/support/bundle.ts'
import { done, type HandlerParts } from './parts.ts'

/** What the system asked to open, as a window takes it: a file with its content, like one that is dropped. */
async function takeOpening(asked: AskedToOpen | undefined): Promise<Result<Opening | null, Failure>> {
  if (asked === undefined) return done
  if (asked === 'refused') return ok({ what: 'refused' })
  if (!('path' in asked)) return ok({ what: 'place', place: asked })
  const name = basename(asked.path)
  try {
    const content = await readRegular(asked.path, maxBatchText)
    return ok({ what: 'file', name, base64: content.toString('base64') })
  } catch (error) {
    if (codeOf(error) === 'EFBIG') return failed('dropped-too-large', { file: name, limitBytes: maxBatchText })
    return failed('file-unreadable', { file: name, errno: codeOf(error) })
  }
}

export function appHandlers(parts: HandlerParts): HandlersOf<typeof appChannels> {
  const { host, clipboard, settings, policies, history, auditTrail, screenShare } = parts
  const copied = (text: string): Promise<void> =>
    auditTrail.note({
      kind: 'text.copied',
      plain: { characters: text.length, ...(screenShare.state().on && { whileHidden: true }) }
    })
  return {
    'app.state': async () => ({ ok: true, value: parts.state() }),
    'app.copy': async ({ text }) => {
      await clipboard.copy(text)
      await copied(text)
      return done
    },
    'app.copied': async ({ text }) => {
      clipboard.noted(text)
      const refusal = policies.clipboardRefusal()
      if (refusal) {
        await clipboard.empty()
        return fail(refusal)
      }
      await copied(text)
      return done
    },
    'prints.note': async (printed) => {
      const open = await history.ready()
      if (!open.ok) return open
      const about =
        printed.what === 'record'
          ? { recordId: printed.recordId }
          : printed.what === 'applicant'
            ? { applicantId: printed.applicantId }
            : undefined
      await auditTrail.note({
        kind: 'export.made',
        plain: { what: printed.what, format: 'print', rows: printed.rows },
        ...(about && { about })
      })
      return { ok: true, value: { operator: host.operator, at: host.clock.now(), version: host.version } }
    },
    'settings.change': async (patch) => {
      const before = settings.current()
      const changed = await settings.change(patch)
      if (!changed.ok) return changed
      parts.stateChanged()
      // A changed schedule takes effect at once.
      if (before.backupHours !== changed.value.backupHours) parts.lookAtSchedule()
      if (patch.logForwarding !== undefined) parts.forwarding.look()
      if (patch.nameFields) void parts.mapNames()
      for (const plain of settingChanges(before, changed.value))
        await auditTrail.note({ kind: 'setting.changed', plain })
      for (const note of recipeNotes(before, changed.value)) await auditTrail.note(note)
      return { ok: true, value: parts.state() }
    },
    'settings.chooseCaFile': async () => {
      const path = await host.chooseFile('Choose a file with certificate authorities', ['pem', 'crt', 'cer'])
      if (path === undefined) return done
      const file = await readCaFile(path)
      return file.ok ? { ok: true, value: { path, certificates: file.value.certificates } } : file
    },
    'settings.reset': async ({ file }) => {
      const fault = parts[file].fault()
      const reset = await parts[file].reset()
      if (!reset.ok) return reset
      parts.stateChanged()
      if (file === 'settings') void parts.mapNames()
      await auditTrail.note({
        kind: 'setting.changed',
        plain: { action: `${file}.set-aside`, ...(fault && { fault: fault.code }), kept: reset.value.kept }
      })
      return { ok: true, value: { state: parts.state(), kept: reset.value.kept } }
    },
    'support.save': async () =>
      saveSupportBundle({
        host,
        state: parts.state(),
        connections: await parts.connections.list(),
        inTeam: parts.inTeam()
      }),
    'keychain.tryAgain': async () => {
      await parts.keychain.probe()
      await history.open()
      parts.stateChanged()
      return { ok: true, value: parts.state() }
    },
    'drafts.read': async () => ({ ok: true, value: await parts.drafts.read() }),
    'drafts.keep': async ({ round, text }) => ({
      ok: true,
      value: await parts.drafts.keep(round, draftsWithout(await parts.own(), text))
    }),
    'sample.open': async () => (host.openSample ? host.openSample() : failed('sample-not-opened', { reason: 'host' })),
    'sample.close': async () => {
      if (!host.sample) return failed('sample-not-here')
      host.sample.close()
      return done
    },
    'app.opening': () => takeOpening(host.opening?.()),
    'updates.check': () => parts.updates.check()
  }
}
