/** What can be done with documents: one table for the tool bar, for the keys and for the list of keys. */
import {
  Columns2,
  Expand,
  FlipHorizontal2,
  Info,
  Maximize,
  RotateCw,
  Search,
  Sun,
  ZoomIn,
  ZoomOut,
  type LucideIcon
} from '@lucide/vue'
import { words } from './words.ts'

/** Of the documents together. */
export interface PaneActions {
  show(): void
  /** Chooses the next document or the one before. */
  move(step: 1 | -1): void
  beside(): void
  loupe(): void
  adjust(): void
  explain(): void
  wide(): void
}

/** Of the document that has the focus, or was chosen last. */
export interface ImageActions {
  zoom(larger: boolean): void
  actual(): void
  fit(): void
  rotate(): void
  mirror(): void
  /** The image, or the loupe on it. */
  move(x: -1 | 0 | 1, y: -1 | 0 | 1): void
  /** Turns the pages of a PDF. */
  turn(pages: number): void
}

export interface DocumentTool {
  /** In lower case, as they are pressed; none for what only its button does. */
  readonly keys: readonly string[]
  readonly word: string
  /** Of its button in the tool bar, if it has one. */
  readonly icon?: LucideIcon
  /** A button that says what it is in words, where there is space. */
  readonly named?: boolean
  /** A button that is on or off. */
  readonly toggles?: 'beside' | 'mirrored' | 'adjusting' | 'loupe' | 'explaining' | 'wide'
  /** Only where there are several documents. */
  readonly several?: boolean
  readonly pane?: (pane: PaneActions) => void
  readonly image?: (image: ImageActions) => void
  /** Also acts on a page that cannot be shown. */
  readonly pages?: boolean
}

/** Pages that no document has. */
const allPages = 1_000_000

export const documentTools: readonly DocumentTool[] = [
  { keys: ['p'], word: words.showTheDocuments, pane: (pane) => pane.show() },
  { keys: ['['], word: words.previousDocument, pane: (pane) => pane.move(-1) },
  { keys: [']'], word: words.nextDocument, pane: (pane) => pane.move(1) },
  {
    keys: ['x'],
    word: words.sideBySide,
    icon: Columns2,
    named: true,
    toggles: 'beside',
    several: true,
    pane: (pane) => pane.beside()
  },
  { keys: ['-'], word: words.zoomOut, icon: ZoomOut, image: (image) => image.zoom(false) },
  { keys: ['0'], word: words.actualSize, image: (image) => image.actual() },
  { keys: ['+', '='], word: words.zoomIn, icon: ZoomIn, image: (image) => image.zoom(true) },
  { keys: ['f'], word: words.fit, icon: Maximize, image: (image) => image.fit() },
  { keys: ['r'], word: words.rotate, icon: RotateCw, image: (image) => image.rotate() },
  { keys: ['m'], word: words.mirror, icon: FlipHorizontal2, toggles: 'mirrored', image: (image) => image.mirror() },
  { keys: [], word: words.brightnessAndContrast, icon: Sun, toggles: 'adjusting', pane: (pane) => pane.adjust() },
  { keys: ['l'], word: words.loupe, icon: Search, named: true, toggles: 'loupe', pane: (pane) => pane.loupe() },
  { keys: [], word: words.aboutThisFile, icon: Info, toggles: 'explaining', pane: (pane) => pane.explain() },
  { keys: ['w'], word: words.fullWidth, icon: Expand, toggles: 'wide', pane: (pane) => pane.wide() },
  { keys: ['arrowleft'], word: words.moveTheImage, image: (image) => image.move(-1, 0) },
  { keys: ['arrowright'], word: words.moveTheImage, image: (image) => image.move(1, 0) },
  { keys: ['arrowup'], word: words.moveTheImage, image: (image) => image.move(0, -1) },
  { keys: ['arrowdown'], word: words.moveTheImage, image: (image) => image.move(0, 1) },
  { keys: ['pageup'], word: words.previousPage, pages: true, image: (image) => image.turn(-1) },
  { keys: ['pagedown'], word: words.nextPage, pages: true, image: (image) => image.turn(1) },
  { keys: ['home'], word: words.firstPage, pages: true, image: (image) => image.turn(-allPages) },
  { keys: ['end'], word: words.lastPage, pages: true, image: (image) => image.turn(allPages) }
]

const shownKeys: Readonly<Record<string, string>> = {
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
  pageup: words.pageUpKey,
  pagedown: words.pageDownKey,
  home: 'Home',
  end: 'End'
}
/** The key of a tool, as it is shown. */
export const keyOf = ({ keys: [key] }: DocumentTool): string | undefined =>
  key === undefined ? undefined : (shownKeys[key] ?? key.toUpperCase())
