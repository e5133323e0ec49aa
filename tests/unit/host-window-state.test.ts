import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadWindowState, placeWindow, saveWindowState, smallest } from '../../electron/hosts/main/window-state.ts'

const left = { x: 0, y: 0, width: 1920, height: 1040 }
const right = { x: 1920, y: 0, width: 2560, height: 1400 }
const saved = (x: number, y: number, width = 1200, height = 800) => ({ x, y, width, height, maximized: false })

describe('the place of the window', () => {
  it('is the centre of the primary display at first', () => {
    expect(placeWindow(undefined, [left])).toEqual({ x: 320, y: 90, width: 1280, height: 860 })
  })
  it('is where it was, on any display', () => {
    expect(placeWindow(saved(2000, 100), [left, right])).toEqual({ x: 2000, y: 100, width: 1200, height: 800 })
  })
  it('is the primary display’s centre where its own display has gone', () => {
    expect(placeWindow(saved(2000, 100), [left])).toEqual({ x: 360, y: 120, width: 1200, height: 800 })
  })
  it('moves wholly into sight and shrinks to what is there', () => {
    expect(placeWindow(saved(1800, 1000), [left])).toEqual({ x: 720, y: 240, width: 1200, height: 800 })
    expect(placeWindow(saved(0, 0, 9000, 9000), [left])).toEqual(left)
  })
  it('always begins inside a display and is never too small to use', () => {
    const number = fc.integer({ min: -100_000, max: 100_000 })
    fc.assert(
      fc.property(
        number,
        number,
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (x, y, width, height) => {
          const place = placeWindow(saved(x, y, width, height), [left, right])
          const areas = [left, right]
          expect(place.width).toBeGreaterThanOrEqual(smallest.width)
          expect(place.height).toBeGreaterThanOrEqual(smallest.height)
          expect(
            areas.some((a) => place.x >= a.x && place.x < a.x + a.width && place.y >= a.y && place.y < a.y + a.height)
          ).toBe(true)
        }
      )
    )
  })
  it('is stored completely, and an unreadable file counts as none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'veridesk-state-'))
    expect(loadWindowState(folder)).toBeUndefined()
    await saveWindowState(folder, saved(1, 2))
    expect(loadWindowState(folder)).toEqual(saved(1, 2))
    expect(await readdir(folder)).toEqual(['window.json'])
    for (const text of [
      '',
      '{',
      '[]',
      '{"x":1}',
      '{"x":"1","y":0,"width":1,"height":1,"maximized":true}',
      '{"x":1e9,"y":0,"width":1,"height":1,"maximized":true}'
    ]) {
      await writeFile(join(folder, 'window.json'), text)
      expect(loadWindowState(folder), text).toBeUndefined()
    }
    await saveWindowState(join(folder, 'missing'), saved(1, 2))
    await rm(folder, { recursive: true })
  })
})
