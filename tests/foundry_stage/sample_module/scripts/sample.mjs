/** A module that does a little of everything; the tests of the stand-in look at what it wrote down. */

const { ApplicationV2, HandlebarsApplicationMixin } = foundry.applications.api;
const sample = { hooks: [], heard: [], settings: [], submitted: [], pressed: 0, here: "" };
globalThis.sample = sample;

for (const name of ["init", "i18nInit", "setup", "canvasReady", "ready"]) Hooks.on(name, () => sample.hooks.push(name));

class SampleWindow extends HandlebarsApplicationMixin(ApplicationV2) {
  static DEFAULT_OPTIONS = {
    id: "sample-window",
    tag: "form",
    classes: ["sample-window"],
    window: { title: "SAMPLE.Plain", contentClasses: ["standard-form"] },
    form: { handler: SampleWindow.#submit, closeOnSubmit: true },
    actions: { press: SampleWindow.#press },
    position: { width: 300 },
  };

  static PARTS = { body: { template: "modules/stage-sample/templates/window.hbs" } };

  get title() {
    return game.i18n.format("SAMPLE.Title", { whose: game.user.name });
  }

  async _prepareContext() {
    return { word: "ash", count: 3, flag: true, pressed: sample.pressed };
  }

  static #press(event, target) {
    sample.pressed++;
    sample.here = `${this.id} ${target.dataset.action} ${event.type}`;
    this.render();
  }

  static async #submit(_event, form, formData) {
    sample.submitted.push({ id: form.id, data: foundry.utils.expandObject(formData.object) });
  }
}
sample.SampleWindow = SampleWindow;

Hooks.once("init", () => {
  const onChange = (name) => (value, _options, userId) => sample.settings.push([name, value, userId]);
  game.settings.register("stage-sample", "world", { scope: "world", config: false, type: String, default: "w", onChange: onChange("world") });
  game.settings.register("stage-sample", "client", { scope: "client", config: false, type: Number, default: 1, onChange: onChange("client") });
  game.settings.register("stage-sample", "user", { scope: "user", config: false, type: Object, default: {}, onChange: onChange("user") });
  game.keybindings.register("stage-sample", "open", { name: "SAMPLE.Plain", editable: [{ key: "KeyB", modifiers: ["Shift"] }], onDown: () => {
    new SampleWindow().render({ force: true });
    return true;
  } });
  game.socket.on("module.stage-sample", (data, sender) => sample.heard.push({ data, sender }));
  CONFIG.queries["stage-sample.echo"] = async (data, options) => {
    if (data.fail) throw new Error("as asked");
    if (data.never) await new Promise(() => {});
    return { data, keys: Object.keys(options ?? {}), asker: options?.user?.name ?? null };
  };
  const { ChatLog } = foundry.applications.sidebar.tabs;
  if (ChatLog.CHAT_COMMANDS) {
    ChatLog.CHAT_COMMANDS.sample = { rgx: /^(?:<p>)?\/sample\b([^]*?)(?:<\/p>)?$/i, fn(command, match) {
      sample.command = [command, match[1].trim(), this === ui.chat];
      return false;
    } };
  }
});

Hooks.on("chatMessage", (_log, text) => {
  sample.chat = text;
  if (!text.startsWith("/sample")) return true;
  sample.command = ["sample", text.slice(7).trim(), true];
  return false;
});

Hooks.on("getSceneControlButtons", (controls) => {
  controls.tokens.tools.sample = { name: "sample", order: 9, title: "SAMPLE.Plain", icon: "fa-solid fa-dice-d20", button: true, onChange: () => {
    sample.tool = (sample.tool ?? 0) + 1;
  } };
});

Hooks.on("getHeaderControlsActorSheetV2", (app, controls) => {
  controls.push({ icon: "fa-solid fa-dice", label: "SAMPLE.Menu", onClick: () => {
    sample.sheet = app.document.name;
  } });
});

Hooks.on("renderTokenHUD", (hud, html) => {
  sample.hud = (sample.hud ?? 0) + 1;
  if (html.querySelector(".sample-button")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "control-icon sample-button";
  Object.assign(button.dataset, { action: "togglePalette", palette: "sample" });
  const palette = document.createElement("div");
  palette.className = "palette sample-palette";
  palette.dataset.palette = "sample";
  html.querySelector(".col.right").append(button, palette);
  if (hud.activePalette === "sample") for (const part of [button, palette]) part.classList.add("active");
});

Hooks.on("hotbarDrop", (_hotbar, data, slot) => {
  if (data.type !== "stage-sample.thing") return true;
  sample.dropped = slot;
  return false;
});
