/** Saves the window's size and position between starts. A damaged or impossible state is ignored. */
import { join } from 'node:path'
import { z } from 'zod'
import { ownFiles } from '#wire/files/own-names.ts'
import { ownFileBytes, readRegularSync } from '#wire/files/regular.ts'
import { replaceFile } from '#wire/files/write.ts'

export const smallest = { width: 900, height: 600 } as const
const defaultSize = { width: 1280, height: 860 } as const

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const pixels = z.number().int().min(-100_000).max(100_000)
const stateSchema = z.strictObject({
  x: pixels,
  y: pixels,
  width: pixels.positive(),
  height: pixels.positive(),
  maximized: z.boolean()
})
export type WindowState = z.output<typeof stateSchema>

const fileIn = (folder: string): string => join(folder, ownFiles.window)

/** The saved state, or undefined if there is none or it is unreadable. */
export function loadWindowState(folder: string): WindowState | undefined {
  try {
    const parsed = stateSchema.safeParse(JSON.parse(String(readRegularSync(fileIn(folder), ownFileBytes))))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

const overlap = (start: number, size: number, from: number, length: number): number =>
  Math.min(start + size, from + length) - Math.max(start, from)

/**
 * Where to open the window: as saved, within one of the current displays; centred if there is no saved state or its
 * display is gone.
 *
 * @param workAreas Of the current displays, the primary one first; at least one.
 */
export function placeWindow(
  saved: WindowState | undefined,
  workAreas: readonly [Rectangle, ...Rectangle[]]
): Rectangle {
  const shown =
    saved &&
    workAreas.find(
      (a) => overlap(saved.x, saved.width, a.x, a.width) > 0 && overlap(saved.y, saved.height, a.y, a.height) > 0
    )
  const area = shown ?? workAreas[0]
  const width = Math.max(Math.min(saved?.width ?? defaultSize.width, area.width), smallest.width)
  const height = Math.max(Math.min(saved?.height ?? defaultSize.height, area.height), smallest.height)
  const inside = (start: number, size: number, from: number, length: number): number =>
    Math.max(from, Math.min(start, from + length - size))
  if (!saved || !shown) {
    return {
      x: area.x + Math.max(0, Math.round((area.width - width) / 2)),
      y: area.y + Math.max(0, Math.round((area.height - height) / 2)),
      width,
      height
    }
  }
  return {
    x: inside(saved.x, width, area.x, area.width),
    y: inside(saved.y, height, area.y, area.height),
    width,
    height
  }
}

/** Saves the state atomically. If the disk cannot store it, only the window's position is lost. */
export async function saveWindowState(folder: string, state: WindowState): Promise<void> {
  await replaceFile(fileIn(folder), `${JSON.stringify(state)}\n`)
}
