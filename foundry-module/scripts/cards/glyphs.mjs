/** Small drawings of our own, in the colour of the text around them. A word beside it, or its button's label, says what it means. */

import { svg } from "./dom.mjs";

const GLYPHS = {
  sun: "M10 4V1m0 18v-3M4 10H1m18 0h-3M5.8 5.8 3.6 3.6m12.8 12.8-2.2-2.2m0-8.4 2.2-2.2M3.6 16.4l2.2-2.2M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z",
  moon: "M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z",
  auto: "M10 2.5a7.5 7.5 0 1 0 0 15Zm0 0a7.5 7.5 0 0 1 0 15",
  close: "M5 5l10 10M15 5 5 15",
  clock: "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM10 5.5V10l3 2",
  first: "M15.5 4.5 9 10l6.5 5.5M5 4.5v11",
  last: "M4.5 4.5 11 10l-6.5 5.5M15 4.5v11",
  earlier: "M12.5 4.5 6.5 10l6 5.5",
  later: "M7.5 4.5l6 5.5-6 5.5",
  check: "M4 10.5 8.2 15 16 5.5",
  up: "M10 16V4M5 9l5-5 5 5",
  down: "M10 4v12M5 11l5 5 5-5",
  back: "M8 5 4 9l4 4M4 9h7.5a4.5 4.5 0 0 1 0 9H9",
  minus: "M4 10h12",
  more: "M5 10a.6.6 0 1 1-1.2 0A.6.6 0 0 1 5 10Zm5.6 0a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Zm5.6 0a.6.6 0 1 1-1.2 0 .6.6 0 0 1 1.2 0Z",
  hand: "M6 10.5V5.3a1.3 1.3 0 0 1 2.6 0V9m0-.5V3.8a1.3 1.3 0 0 1 2.6 0V9m0-3.7a1.3 1.3 0 0 1 2.6 0v6.2c0 3-1.7 5.5-4.6 5.5-2.3 0-3.6-1-4.7-3l-1.6-2.9c-.5-1 .9-1.9 1.7-1l1.4 1.4",
  leave: "M8 3H4v14h4M12 6l4 4-4 4M16 10H8",
  plus: "M10 4v12M4 10h12",
  edit: "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2L4 16Z",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1",
  dice: "M10 1.8 17.3 6v8L10 18.2 2.7 14V6Z M10 6.2 13.8 12.6H6.2Z",
  list: "M4 5h12M4 10h12M4 15h8",
  people: "M7.5 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.4a3 3 0 0 1 0 5.2M15 12.6c1.8.8 3 2.4 3 4.4",
  sliders: "M3 6h7m4 0h3M3 14h3m4 0h7M12 4v4M8 12v4",
};

/**
 * @param {keyof typeof GLYPHS} name
 * @param {string} [kind] its class
 */
export const glyph = (name, kind = "glyph") => svg(
  "svg",
  { class: kind, viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
  svg("path", { d: GLYPHS[name], fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round" }),
);
