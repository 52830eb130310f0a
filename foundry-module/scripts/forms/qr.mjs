/** A QR code from the rows that the bridge gives: drawn, never parsed from markup, and dark on white whatever the scheme. */

import { svg } from "../cards/dom.mjs";

/** Modules of white around it, without which cameras do not find it. */
const QUIET = 4;

/**
 * @param {readonly string[]} rows of 0 and 1
 * @param {string} label what it is, for those who do not see it
 */
export function qrCode(rows, label) {
  const side = rows.length + 2 * QUIET;
  return svg(
    "svg",
    { class: "bb-qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges", "data-testid": "qr" },
    svg("rect", { width: side, height: side, fill: "#ffffff" }),
    svg("path", { d: pathOf(rows), fill: "#000000" }),
  );
}

/**
 * The dark modules as one path, a stroke for each run of them.
 *
 * @param {readonly string[]} rows
 */
export function pathOf(rows) {
  return rows.flatMap((row, y) => [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`)).join("");
}
