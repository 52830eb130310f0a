/** Dice and verdicts, drawn. */

import { svg } from "./dom.mjs";

/** Outlines in a box of 40 by 40; `y` is where the face stands. */
const SHAPES = new Map([
  [4, { points: "20,3 38,35 2,35", y: 26 }],
  [6, { points: "5,5 35,5 35,35 5,35", y: 20.5 }],
  [8, { points: "20,1.5 38.5,20 20,38.5 1.5,20", y: 20.5 }],
  [10, { points: "20,2 37.5,16.5 31.5,29 20,38 8.5,29 2.5,16.5", y: 20 }],
  [12, { points: "20,2 31.8,5.8 38,16 36,28.5 27,37 13,37 4,28.5 2,16 8.2,5.8", y: 20.5 }],
  [20, { points: "20,1.5 36.5,11 36.5,29 20,38.5 3.5,29 3.5,11", y: 20.5 }],
]);

/**
 * @param {number} sides
 * @param {string} [face] left out: an empty outline
 */
export function dieShape(sides, face) {
  const shape = SHAPES.get(sides);
  const outline = shape
    ? svg("polygon", { class: "bb-die-outline", points: shape.points })
    : svg("circle", { class: "bb-die-outline", cx: 20, cy: 20, r: 17.5 });
  const text = face === undefined
    ? null
    : svg("text", { class: "bb-die-face", x: 20, y: shape?.y ?? 20.5, "data-long": face.length > 2 }, face);
  return svg("svg", { class: "bb-die-shape", viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" }, outline, text);
}

const ICONS = {
  critical: { d: "M10 1 12.4 7.6 19 10 12.4 12.4 10 19 7.6 12.4 1 10 7.6 7.6Z", fill: true },
  success: { d: "M3 10.5 8 15.5 17 5", fill: false },
  plain: { d: "M10 6a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z", fill: true },
  failure: { d: "M4.5 4.5 15.5 15.5M15.5 4.5 4.5 15.5", fill: false },
  worst: {
    d: "M10 1.5a7.2 7.2 0 0 0-7.2 7.2c0 2.4 1.1 4.4 2.9 5.7v3.1h2.2v-1.9h1.2v1.9h1.8v-1.9h1.2v1.9h2.2v-3.1a7.1 7.1 0 0 0 2.9-5.7"
      + "A7.2 7.2 0 0 0 10 1.5ZM7 7.4a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Zm6 0a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z"
      + "M10 11.2l1 2H9Z",
    fill: true,
  },
};

/** An eye with a stroke through it. */
export const unseenIcon = () => svg(
  "svg",
  { class: "bb-icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
  svg("path", {
    d: "M2 10c2-3.6 4.7-5.4 8-5.4s6 1.8 8 5.4c-2 3.6-4.7 5.4-8 5.4S4 13.6 2 10Zm8-2.4a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8ZM3.5 17 16.5 3",
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  }),
);

/** @typedef {keyof typeof ICONS} Tone */

/** @param {Tone} tone */
export function toneIcon(tone) {
  const icon = ICONS[tone];
  return svg(
    "svg",
    { class: "bb-icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    icon.fill
      ? svg("path", { d: icon.d, fill: "currentColor", "fill-rule": "evenodd" })
      : svg("path", {
        d: icon.d,
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 2.6,
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }),
  );
}

/** What hurts. */
export function damageIcon() {
  return svg("svg", { class: "bb-icon", viewBox: "0 0 20 20", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: "M10 1 12 6.2 17.2 4 15 9.2 19 12.4 13.8 13.2 13.6 18.6 10 14.6 6.4 18.6 6.2 13.2 1 12.4 5 9.2 2.8 4 8 6.2Z", fill: "currentColor" }));
}

/** The sign of a Boon or a Bane where it stands in text. */
export const MARKS = { boon: "▲", bane: "▼" };
