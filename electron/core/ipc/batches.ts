/** The handlers of the batch channels. */
import type { batchChannels } from '#contract/batches/channels.ts'
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { Batches } from '#core/batches/batches.ts'

export function batchHandlers(batches: Batches): HandlersOf<typeof batchChannels> {
  return {
    'batches.choose': ({ reading }) => batches.choose(reading),
    'batches.checkText': ({ name, text, reading }) => batches.checkText(name, text, reading),
    'batches.checkDropped': ({ name, base64, reading }) => batches.checkDropped(name, base64, reading),
    'batches.reopen': ({ sha256, reading }) => batches.reopen(sha256, reading),
    'batches.useProfile': ({ checkId, name }) => batches.useProfile(checkId, name),
    'batches.recheck': ({ checkId, reading }) => batches.recheck(checkId, reading),
    'batches.lines': (query) => batches.lines(query),
    'batches.nextInvalid': (query) => batches.nextInvalid(query),
    'batches.recentDuplicates': ({ checkId, connectionId }) => batches.recentDuplicates(checkId, connectionId),
    'batches.copyNeed': ({ checkId, connectionId }) => batches.copyNeed(checkId, connectionId),
    'batches.saveInvalid': ({ checkId, format }) => batches.saveInvalid(checkId, format),
    'batches.checkLinks': (order) => batches.checkLinks(order),
    'batches.stopLinks': ({ checkId }) => batches.stopLinks(checkId),
    'batches.linkRows': ({ checkId, limit, kind }) => batches.linkRows(checkId, limit, kind),
    'batches.saveLinks': ({ checkId, format }) => batches.saveLinks(checkId, format),
    'batches.create': (order) => batches.create(order),
    'batches.list': (query) => batches.list(query),
    'batches.show': ({ id }) => batches.show(id),
    'batches.rows': (query, visit) => batches.rows(query, visit),
    'batches.messages': ({ id }) => batches.messages(id),
    'batches.columns': ({ id }) => batches.columns(id),
    'batches.againCounts': ({ id }) => batches.againCounts(id),
    'batches.start': ({ id, ...person }) => batches.start(id, person),
    'batches.pause': ({ id }) => batches.halt(id, 'paused'),
    'batches.cancel': ({ id }) => batches.halt(id, 'cancelled'),
    'batches.yieldToUser': () => batches.yieldToUser(),
    'batches.resolve': ({ id, rows, as }) => batches.resolve(id, rows, as),
    'batches.save': ({ id, file, format }) => batches.save(id, file, format),
    'batches.template': ({ operations, format }) => batches.template(operations, format),
    'batches.again': ({ id, kind }) => batches.again(id, kind)
  }
}
