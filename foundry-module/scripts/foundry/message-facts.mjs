/**
 * What stands in a stored card, whatever language and version of the module wrote it: its faces, totals and verdicts, read
 * from classes that never changed. Nothing here knows Foundry or the DOM, and nothing read here is ever shown.
 */

const PIECE = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>|([^<]+|<)/gi;
const ATTRIBUTE = /([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g;
const ENTITIES = new Map([["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"], ["nbsp", " "]]);
const OURS = new Set(["div", "p", "h3", "h4", "ul", "li", "strong", "s"]);
const BLOCKS = new Set(["div", "p", "h3", "h4", "ul", "li"]);

/** @param {string} text */
const decode = (text) => text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi, (whole, hex, decimal, name) => {
  if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? whole;
  const code = hex === undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
});

/** @param {string} text */
const calm = (text) => text.replace(/\s+/g, " ").trim();

/** Numbers in a text, a true minus included. @param {string} text */
export const numbersIn = (text) => [...text.matchAll(/[\u2212-]?\d+/g)].map(([found]) => Number(found.replace("\u2212", "-")));

/**
 * @typedef {object} Facts
 * @property {number[][]} dice the faces of each row that has some
 * @property {number[]} totals of those rows
 * @property {string[]} tones of the verdicts
 * @property {{kind: string, text: string}[]} blocks every block that says something, by its class or its tag
 * @property {boolean} more something is in it that no card of ours has
 */

/**
 * @param {string} content as it is stored
 * @returns {Facts}
 */
export function factsOf(content) {
  /** @type {Facts} */
  const facts = { dice: [], totals: [], tones: [], blocks: [], more: false };
  /** @type {{tag: string, kind: string, text: string}[]} */
  const open = [];
  let fell = false;
  const close = () => {
    const { tag, kind, text } = /** @type {{tag: string, kind: string, text: string}} */ (open.pop());
    const block = open.at(-1);
    if (!BLOCKS.has(tag)) {
      if (block !== undefined) block.text += text;
      const place = [...open].reverse().find((each) => BLOCKS.has(each.tag))?.kind;
      const last = numbersIn(text).at(-1);
      if (place === "stored-dice" && last !== undefined) facts.dice.at(-1)?.push(last);
      if (place === "total" && last !== undefined && fell) facts.totals.push(last);
      return;
    }
    if (kind === "stored-dice") {
      // A word instead of dice is a row without any: what older ones said of its total is nothing.
      fell = (facts.dice.at(-1)?.length ?? 0) > 0;
      if (!fell) facts.dice.pop();
    }
    if (calm(text) !== "") facts.blocks.push({ kind, text: calm(text) });
  };
  for (const [, closing, name, attributes = "", text] of content.matchAll(PIECE)) {
    if (name === undefined) {
      const place = open.at(-1);
      if (place !== undefined) place.text += decode(text);
      else if (calm(text) !== "") facts.more = true;
    } else if (closing === "") {
      const tag = name.toLowerCase();
      const given = [...attributes.matchAll(ATTRIBUTE)].map(([, key, a, b, c]) => ({ key: key.toLowerCase(), value: a ?? b ?? c ?? "" }));
      const classes = given.filter(({ key }) => key === "class").flatMap(({ value }) => value.split(/\s+/)).filter((each) => each !== "");
      if (!OURS.has(tag) || given.some(({ key }) => key !== "class") || classes.some((each) => !each.startsWith("bb-"))) facts.more = true;
      const kind = classes.find((each) => !each.startsWith("bb-tone-"))?.slice(3) ?? tag;
      if (kind === "stored-dice") facts.dice.push([]);
      if (kind === "verdict") facts.tones.push(classes.find((each) => each.startsWith("bb-tone-"))?.slice(8) ?? "");
      if (tag !== "br" && tag !== "img" && tag !== "hr") open.push({ tag, kind, text: "" });
    } else if (open.some(({ tag }) => tag === name.toLowerCase())) {
      while (open.at(-1)?.tag !== name.toLowerCase()) close();
      close();
    }
  }
  while (open.length > 0) close();
  return facts;
}
