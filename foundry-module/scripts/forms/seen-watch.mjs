/** Whether an open request is really before somebody's eyes: on the screen, in a page that is looked at. */

/** @import { TableModel } from "./model.mjs" */

import { mineIn, requestOf } from "./play.mjs";

export class SeenWatch {
  /** @type {WeakMap<Element, string>} */
  #requests = new WeakMap();
  /** @type {Set<string>} on the screen, while nobody looks at the page */
  #waiting = new Set();
  #observer;
  #model;

  /** @param {() => TableModel | null} model */
  constructor(model) {
    this.#model = model;
    this.#observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        const request = this.#requests.get(target);
        if (!isIntersecting || request === undefined) continue;
        this.#observer.unobserve(target);
        this.#seen(request);
      }
    });
    document.addEventListener("visibilitychange", () => {
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const request of waiting) this.#seen(request);
    });
  }

  /**
   * Everything in a part of the page that shows a request which waits for this person.
   *
   * @param {ParentNode} root
   */
  watch(root) {
    for (const element of root.querySelectorAll("[data-request]")) {
      const request = element.getAttribute("data-request") ?? "";
      if (this.#requests.get(element) === request || !this.#waits(request)) continue;
      this.#requests.set(element, request);
      this.#observer.observe(element);
    }
  }

  /** @param {string} id */
  #waits(id) {
    const model = this.#model();
    const request = model === null ? undefined : requestOf(model, id);
    return model !== null && request !== undefined && mineIn(model, request).length > 0;
  }

  /** @param {string} request */
  #seen(request) {
    if (document.visibilityState === "hidden") this.#waiting.add(request);
    else if (this.#waits(request)) this.#model()?.client.saw(request);
  }
}
