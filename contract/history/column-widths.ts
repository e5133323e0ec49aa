/** How wide a column of the window's tables may be made, in pixels. */
export const leastColumnWidth = 24
export const maxColumnWidth = 1600
