/**
 * Rules for Boonbridge's JavaScript: the Foundry module, the table page and their tests.
 *
 * Two things are held here that no reviewer should have to look for: which room knows Foundry and the DOM
 * (ARCHITECTURE.md), and that text from the wire never becomes markup.
 */
import js from "@eslint/js";
import globals from "globals";

const FOUNDRY_GLOBALS = [
  "game", "canvas", "ui", "Hooks", "CONFIG", "CONST", "foundry", "Actor", "ActiveEffect", "ChatMessage", "Combat",
  "Combatant", "Die", "Item", "Macro", "Roll", "Scene", "Token", "TokenDocument", "User",
  "fromUuid", "fromUuidSync",
];

/** What the three kinds of code may name without importing it. */
const readonly = (names) => Object.fromEntries(names.map((name) => [name, "readonly"]));

const KEPT_FROM_FOUNDRY = ["game", "canvas", "ui", "Hooks", "CONFIG", "foundry"].map((name) => ({
  name,
  message: "Only scripts/foundry and scripts/systems know Foundry.",
}));

const KEPT_FROM_THE_DOM = ["document", "window"].map((name) => ({
  name,
  message: "scripts/client runs without a page; what shows things lives in scripts/cards or beyond.",
}));

const MARKUP_MESSAGE = "Text from the wire never becomes markup: build elements and set textContent.";

const MARKUP_PROPERTIES = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "createContextualFragment"]
  .map((property) => ({ property, message: MARKUP_MESSAGE }))
  .concat(
    ["write", "writeln"].map((property) => ({ object: "document", property, message: MARKUP_MESSAGE })),
  );

// no-restricted-properties does not see `element["inner" + "HTML"]`; nobody writes that by accident. It does not see
// Object.assign(element, { innerHTML }) either, which somebody might.
const MARKUP_SYNTAX = [
  {
    selector: "CallExpression[callee.object.name='Object'][callee.property.name='assign'] > ObjectExpression > "
      + "Property[key.name=/^(innerHTML|outerHTML)$/]",
    message: MARKUP_MESSAGE,
  },
  { selector: "NewExpression[callee.name='DOMParser']", message: MARKUP_MESSAGE },
];

const CODE = ["foundry-module/scripts/**/*.mjs", "bridge/boonbridge/web/**/*.mjs", "bridge/boonbridge/web/**/*.js"];
const TESTS = ["tests/module/**/*.mjs"];

export default [
  { ignores: ["**/node_modules/", ".venv/", "dist/", "build/", "schemas/ts/", "coverage/"] },
  {
    files: [...CODE, ...TESTS],
    ...js.configs.recommended,
  },
  {
    files: [...CODE, ...TESTS],
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" },
    rules: {
      "array-callback-return": ["error", { checkForEach: true, allowVoid: true }],
      "consistent-return": "error",
      "curly": ["error", "multi-line"],
      "default-case-last": "error",
      "eqeqeq": ["error", "always", { null: "ignore" }],
      "no-alert": "error",
      "no-constructor-return": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-return-assign": "error",
      "no-script-url": "error",
      "no-self-compare": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrors: "all" }],
      "no-use-before-define": ["error", { functions: false, classes: true, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-promise-reject-errors": "error",
      "prefer-template": "off", // a sum of two strings is clear enough
      "radix": "error",
      "no-restricted-properties": ["error", ...MARKUP_PROPERTIES],
      "no-restricted-syntax": ["error", ...MARKUP_SYNTAX],
    },
  },
  {
    // crypto.subtle and randomUUID are missing on plain-http pages in a home network, where many tables are.
    files: ["foundry-module/scripts/**/*.mjs"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...MARKUP_PROPERTIES,
        {
          object: "crypto",
          property: "randomUUID",
          message: "Missing on plain-http pages: use crypto.getRandomValues.",
        },
      ],
    },
  },
  {
    // The protocol client runs in Foundry, in the table page and under node:test: only what all three have.
    files: ["foundry-module/scripts/client/**/*.mjs"],
    languageOptions: { globals: { ...globals["shared-node-browser"], WebSocket: "readonly" } },
    rules: {
      "no-restricted-globals": ["error", ...KEPT_FROM_FOUNDRY, ...KEPT_FROM_THE_DOM],
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "/(foundry|systems|cards)/", message: "scripts/client imports only itself." }] },
      ],
    },
  },
  {
    // Cards and forms are drawn in Foundry and in the table page: a DOM, but no Foundry.
    files: ["foundry-module/scripts/cards/**/*.mjs", "foundry-module/scripts/forms/**/*.mjs"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-globals": ["error", ...KEPT_FROM_FOUNDRY],
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "/(foundry|systems)/", message: "Cards and forms know no Foundry." }] },
      ],
    },
  },
  {
    files: ["foundry-module/scripts/**/*.mjs"],
    ignores: ["foundry-module/scripts/client/**", "foundry-module/scripts/cards/**", "foundry-module/scripts/forms/**"],
    languageOptions: { globals: { ...globals.browser, ...readonly(FOUNDRY_GLOBALS) } },
  },
  {
    files: ["bridge/boonbridge/web/**/*.mjs", "bridge/boonbridge/web/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-globals": ["error", ...KEPT_FROM_FOUNDRY],
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: "^/", message: "The page may lie below a path (--base-path): import by ../cards/… and the like." }] },
      ],
    },
  },
  {
    files: TESTS,
    languageOptions: { globals: globals.node },
  },
];
