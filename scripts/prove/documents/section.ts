/**
 * A hostile server of documents: private addresses, executions in the window, and the memory of core.
 * Not a test: it measures the memory of whole processes.
 */
import { startHost } from '../../../tests/app/fixtures/hosts.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Row } from '../../figures/format.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { hostsHere } from '../window/electron-here.ts'
import { privateAddresses } from './addresses.ts'
import { documentMemory } from './memory.ts'
import { documentsInWindow } from './window.ts'

/** Errors: a connection to a private address, anything that runs or is requested, and other endings. */
export async function proveDocuments({ sized, progress }: SectionRun): Promise<Measured> {
  const { hosts, notRun, versions } = hostsHere('documents in the window of Electron')
  const rows: Row[] = []
  const lines: (string | number)[][] = []
  const faults: string[] = []

  const addresses = await privateAddresses()
  faults.push(...addresses.faults)
  lines.push(
    ...addresses.lines.map(([name, links, opened, connections]) => [`links: ${name}`, links, opened, connections])
  )
  progress('addresses')

  const memory = await documentMemory(sized(3, 1))
  rows.push(...memory.rows)
  faults.push(...memory.faults)
  progress('memory')

  for (const host of hosts)
    await inPlace({}, async ({ place }) => {
      const session = await startHost(host, place)
      try {
        const label = host === 'electron' ? 'Electron' : 'preview'
        const found = await documentsInWindow(label, session)
        lines.push([`documents in the window: ${label}`, ...found.line.slice(1)])
        rows.push(...found.rows)
        faults.push(...found.faults)
        progress(label)
      } finally {
        await session.close()
      }
    })
  const notes = [
    'The preview is never packaged and has no target: it sends each document to its browser as one message of text.'
  ]
  return {
    notes,
    rows,
    table: {
      columns: ['links or documents', 'number', 'opened privately or executed', 'connections, requests and dialogs'],
      rows: lines
    },
    notRun,
    faults,
    versions
  }
}
