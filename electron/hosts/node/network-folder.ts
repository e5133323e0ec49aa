/**
 * Whether a folder is on another computer. The database needs the locks and syncs of a local disk: over a network it is damaged
 * when two computers open it, or when the connection ends (SQLite, “How To Corrupt An SQLite Database File”, 2.1).
 */
import { realpath, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '#wire/files/write.ts'

/** File systems of Linux that are on other computers, by their number in `statfs(2)`. A local FUSE cannot be told from a remote one. */
const remote: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x00c36400, 'Ceph'],
  [0x73757245, 'Coda']
])

/**
 * The name of what a real path is on, if that is another computer.
 *
 * @param type The number of its file system; what it means depends on the system, and only Linux’s are known here.
 */
export function remoteName(platform: NodeJS.Platform, path: string, type: number): string | undefined {
  // A drive letter of a share resolves to its name on the network.
  if (platform === 'win32') return /^\\\\(?![?.]\\)|^\\\\\?\\UNC\\/i.test(path) ? 'SMB' : undefined
  return platform === 'linux' ? remote.get(type >>> 0) : undefined
}

/** What a folder, or the nearest one that exists above it, is on, if that is another computer. */
export async function networkOf(folder: string): Promise<string | undefined> {
  try {
    return remoteName(process.platform, await realpath(folder), (await statfs(folder)).type)
  } catch (error) {
    const above = dirname(folder)
    return codeOf(error) === 'ENOENT' && above !== folder ? networkOf(above) : undefined
  }
}
