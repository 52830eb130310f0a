/**
 * House rules as one file: what stands at the table to keep, and a file of another table to take over. What would change
 * is shown before anything is sent.
 *
 * Hooks: table-file, export-rules, import-rules (the input), import-wrong, import-changes, import-use, import-leave.
 */

/** @import { TableFile } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { changesOf } from "./data-changes.mjs";
import { button, unique } from "./parts.mjs";
import { slug } from "./slug.mjs";
import { wayBack } from "./way-back.mjs";

const FORMAT = "boonbridge.house-rules";
const VERSION = 1;
/** More than any table's data may be: nothing larger is even read. */
const MOST_BYTES = 64 * 1024;

/**
 * What stands at the table, as a file has it.
 *
 * @param {TableModel} model
 * @returns {TableFile | null} null where this bridge does not tell
 */
export function fileOf(model) {
  const { data } = model.ruleset;
  if (data === null || data === undefined) return null;
  const options = Object.fromEntries(model.ruleset.optionSpecs.map(({ key }) => [key, /** @type {boolean | number | string | null} */ (model.option(key) ?? null)]));
  return { format: FORMAT, version: VERSION, name: model.title, data, options };
}

/**
 * @param {TableModel} model
 * @param {string} text as it stands in a file
 * @returns {{file: TableFile} | {wrong: string}}
 */
export function readFile({ words, ruleset }, text) {
  if (text.length > MOST_BYTES) return { wrong: words.say("data.file.tooLarge") };
  /** @type {any} */
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    return { wrong: words.say("data.file.notOurs") };
  }
  if (given === null || typeof given !== "object" || given.format !== FORMAT || typeof given.data !== "object" || given.data === null) return { wrong: words.say("data.file.notOurs") };
  if (given.version !== VERSION) return { wrong: words.say("data.file.newer") };
  if (given.data.ruleset !== ruleset.id) return { wrong: words.say("data.file.otherGame", { game: ruleset.title, other: String(given.data.ruleset) }) };
  if (!wellFormed(given.data) || (given.options !== undefined && (given.options === null || typeof given.options !== "object"))) return { wrong: words.say("data.file.notOurs") };
  return { file: given };
}

const LISTS = /** @type {const} */ (["ladders", "conditions", "circumstances", "amounts", "onCrits", "rankDice"]);

/**
 * Enough of it to be shown; whether it makes sense is for the bridge to say.
 *
 * @param {any} data
 */
const wellFormed = (data) => LISTS.every((list) => data[list] === undefined || (Array.isArray(data[list])
  && data[list].every((/** @type {any} */ each) => (list === "rankDice" ? typeof each === "number" : each !== null && typeof each === "object"))))
  && (data.ladders ?? []).every((/** @type {any} */ ladder) => ladder.steps === undefined || Array.isArray(ladder.steps));

export class TableFileBlock {
  /**
   * @param {TableModel} model
   * @param {Tell} tell
   * @param {() => void} [done] a file was taken over
   */
  constructor(model, tell, done = () => {}) {
    const { words } = model;
    this.model = model;
    this.tell = tell;
    this.done = done;
    const input = el("input", { type: "file", accept: ".json,application/json", id: unique("file"), class: "bb-unseen", "data-testid": "import-rules",
      onchange: () => void this.#read(input) });
    this.input = input;
    this.wrong = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "import-wrong" });
    this.coming = el("div", { class: "coming", role: "status", hidden: true, "data-testid": "import-changes" });
    this.root = el(
      "fieldset",
      { class: "data-part table-file", "data-testid": "table-file" },
      el("legend", {}, words.say("data.file.title")),
      el("p", { class: "help" }, words.say("data.file.help")),
      el("div", { class: "row" },
        button(words.say("data.file.export"), () => this.#export(), { class: "button small", "data-testid": "export-rules" }),
        input,
        el("label", { class: "button small file-label", for: input.id }, words.say("data.file.import"))),
      this.wrong,
      this.coming,
    );
  }

  #export() {
    const file = fileOf(this.model);
    if (file === null) return;
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: "application/json" }));
    const anchor = el("a", { href: url, download: `${slug(file.name ?? "table", 40)}-house-rules.json` });
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** @param {HTMLInputElement} input */
  async #read(input) {
    const { words } = this.model;
    const [chosen] = input.files ?? [];
    this.#leave();
    if (chosen === undefined) return;
    const read = chosen.size > MOST_BYTES ? { wrong: words.say("data.file.tooLarge") } : readFile(this.model, await chosen.text());
    // The same file may be chosen again.
    input.value = "";
    if ("wrong" in read) this.#complain(read.wrong);
    else this.#show(read.file);
  }

  /** @param {TableFile} file */
  #show(file) {
    const { words } = this.model;
    const changes = changesOf(this.model, file);
    const leave = button(words.say("data.file.leave"), () => {
      this.#leave();
      this.input.focus();
    }, { class: "button small", "data-testid": "import-leave" });
    this.coming.hidden = false;
    if (changes.length === 0) {
      this.coming.replaceChildren(el("p", {}, words.say("data.file.same", { name: file.name ?? "" })), el("div", { class: "row" }, leave));
      return;
    }
    const use = button(words.say("data.file.use"), () => void this.#use(file, use), { class: "button small", "data-primary": true, "data-testid": "import-use" });
    this.coming.replaceChildren(
      el("p", {}, el("strong", {}, words.count("data.file.changes", changes.length, { name: file.name ?? "" }))),
      el("ul", { class: "change-list" }, changes.map((text) => el("li", {}, text))),
      el("div", { class: "row" }, leave, use),
    );
    use.focus();
  }

  /**
   * @param {TableFile} file
   * @param {HTMLButtonElement} use
   */
  async #use(file, use) {
    const { model, tell } = this;
    const before = fileOf(model);
    const outcome = await whileBusy(use, () => model.send({ t: "SetTableData", data: file.data, options: file.options ?? {} }));
    if (!outcome.ok) {
      this.#complain(model.words.refusal(outcome));
      return;
    }
    this.#leave();
    this.done();
    tell(model.words.say("data.file.used", { name: file.name ?? "" }), {
      undo: before === null ? null : wayBack(model, tell, () => [{ t: "SetTableData", data: before.data, options: before.options ?? {} }]),
    });
    this.input.focus();
  }

  /** @param {string} text */
  #complain(text) {
    this.wrong.textContent = text;
    this.wrong.hidden = false;
  }

  #leave() {
    this.wrong.hidden = true;
    this.coming.hidden = true;
    this.coming.replaceChildren();
  }
}
