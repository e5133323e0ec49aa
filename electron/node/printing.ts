/** How pages are printed, the same in both windowed hosts. */

/** Numbers at the foot of each page; the classes are Chromium's own. */
export const printFooter =
  '<div style="width:100%;font-size:7pt;text-align:center;color:#444"><span class="pageNumber"></span> / <span class="totalPages"></span></div>'
export const printHeader = '<span></span>'
/** Milliseconds after which printing is given up. */
export const printLimit = 60_000
/** Whatever stands in the page: it runs nothing, loads nothing, holds no frame and goes nowhere. */
export const printPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
