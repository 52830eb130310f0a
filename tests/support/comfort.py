"""Whether a page is comfortable: what a finger can hit, what has a name, what moves by itself, what is cut off."""

from playwright.async_api import Page

FINGER = 44
"""What a finger needs of room, in CSS pixels."""

OURS = "body"
IN_FOUNDRY = ".boonbridge > .window-content, .boonbridge-message, .boonbridge-state, .boonbridge-pending, .boonbridge-underway, [id^=boonbridge-]"
"""What of a page in Foundry is the module's: the content of its windows, its cards and what it puts beside Foundry's own."""

_EACH = """
const pick = (roots, selector) => [...new Set([...document.querySelectorAll(roots)].flatMap((root) => [...root.querySelectorAll(selector)]))];
const told = (element) => `<${element.tagName.toLowerCase()} ${element.dataset.testid ?? ''} class="${element.className.baseVal ?? element.className}"> `
  + (element.textContent || element.ariaLabel || '').trim().slice(0, 40);
// What only ears get, and what is Foundry's own around a window and a message, is not looked at.
const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) && !element.closest('.bb-unseen, [inert], .window-header, .message-header')
  && getComputedStyle(element).clipPath !== 'inset(50%)';
"""

_SMALL = (
    "([roots, least]) => {"
    + _EACH
    + """
  const found = [];
  for (const element of pick(roots, 'button, a[href], summary, select, textarea, input, [role=button], [role=tab]')) {
    if (!isSeen(element) || element.disabled || element.classList.contains('header-control')) continue;
    // What a box or a hidden switch belongs to is hit as a whole.
    const target = ['checkbox', 'radio', 'file'].includes(element.type) ? element.closest('label') ?? element : element;
    const hidden = target.matches('.bb-unseen');
    const { width, height } = target.getBoundingClientRect();
    if (hidden || width === 0 || (width >= least - 0.5 && height >= least - 0.5)) continue;
    const scrolled = [];
    for (let up = target.parentElement; up !== null; up = up.parentElement) scrolled.push([up, up.scrollLeft, up.scrollTop]);
    target.scrollIntoView({ block: 'center', inline: 'center' });
    const { x, y, width: w, height: h } = target.getBoundingClientRect();
    const [cx, cy] = [x + w / 2, y + h / 2];
    const half = least / 2 - 1;
    // Inside the box of a short control its edges may lie out of sight; what counts is what a finger would hit around it.
    const hits = [[cx, cy - half], [cx, cy + half], [Math.max(1, cx - half), cy], [cx + half, cy]].map(([px, py]) => document.elementFromPoint(px, py));
    for (const [up, left, top] of scrolled) Object.assign(up, { scrollLeft: left, scrollTop: top });
    if (hits.every((hit) => hit !== null && (target.contains(hit) || hit === target))) continue;
    found.push(`${Math.round(w)} x ${Math.round(h)}: ${told(target)}`);
  }
  return found;
}"""
)

_UNNAMED = (
    "(roots) => {"
    + _EACH
    + """
  const named = (element) => {
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => id && document.getElementById(id)?.textContent).join('');
    const own = [...element.childNodes].map((node) => (node.nodeType === 1 && node.ariaHidden === 'true' ? '' : node.textContent)).join('');
    const label = element.labels ? [...element.labels].map((each) => each.textContent).join('') : '';
    return [element.ariaLabel, by, element.matches('input, select, textarea') ? '' : own, label].some((text) => /[\\p{L}\\p{N}]/u.test(text ?? ''));
  };
  return pick(roots, 'button, a[href], summary, select, textarea, input, [role=button], [role=tab]')
    .filter((element) => isSeen(element) && !element.classList.contains('header-control') && !named(element)).map(told);
}"""
)

_HOVER = (
    "(roots) => {"
    + _EACH
    + """
  const said = (element, title) => element.ariaLabel === title || element.textContent.includes(title) || element.closest('[class*=device]')
    || getComputedStyle(element, '::before').content.includes(title.slice(0, 20)) || (element.closest('fieldset') ?? element.parentElement).textContent.includes(title);
  return pick(roots, '[title]').filter((element) => isSeen(element) && element.title !== '' && !element.matches('.bb-die, .bb-lines, [data-testid=check-picker] *') && !said(element, element.title))
    .map((element) => `${element.tagName} ${element.className}: ${element.title}`);
}"""
)

_CUT = (
    "([roots, width]) => {"
    + _EACH
    + """
  const found = [];
  for (const root of document.querySelectorAll(roots)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!/\\p{L}/u.test(node.data) || !isSeen(element) || element.closest('option, select, textarea, script, style')) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (box.width === 0) continue;
      if (width !== null && box.right > width + 1) found.push(`beyond the page: ${told(element)}`);
      const own = element.closest('button, .button, .chip, .segment > span, legend, summary, .bb-tag')?.getBoundingClientRect();
      if (own && (box.right > own.right + 1 || box.left < own.left - 1)) found.push(`wider than its place: ${told(element)}`);
      for (let up = element; up !== null && up !== document.body; up = up.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(up);
        const frame = up.getBoundingClientRect();
        if (['hidden', 'clip'].includes(overflowX) && (box.right > frame.right + 1 || box.left < frame.left - 1)) found.push(`cut off by ${told(up).split('>')[0]}>: ${told(element)}`);
        // What scrolls up and down shows it all the same.
        if (['auto', 'scroll'].includes(overflowY)) break;
        if (['hidden', 'clip'].includes(overflowY) && (box.bottom > frame.bottom + 1 || box.top < frame.top - 1)) found.push(`cut off below by ${told(up).split('>')[0]}>: ${told(element)}`);
      }
    }
  }
  return [...new Set(found)];
}"""
)

_WATCH_SHIFTS = """() => {
  globalThis.shifts = [];
  globalThis.shiftsSeen?.disconnect();
  globalThis.shiftsTook = (entries) => {
    for (const entry of entries) for (const { node, previousRect, currentRect } of entry.sources) {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      // In a list with the newest on top the older ones make room; that is what a list does.
      if (element?.matches?.('.log-list > li[data-seq]')) continue;
      // And under what was gained and spent, which is longer each time, stand only those who are here.
      if (element?.closest?.('.pool-story, .panel-last, .people')) continue;
      const place = element?.dataset?.testid || element?.className || element?.tagName;
      const text = (element?.textContent ?? '').trim().slice(0, 40);
      globalThis.shifts.push(`${place} "${text}": ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}, ${Math.round(previousRect.height)} to ${Math.round(currentRect.height)} high`);
    }
  };
  globalThis.shiftsSeen = new PerformanceObserver((list) => globalThis.shiftsTook(list.getEntries()));
  globalThis.shiftsSeen.observe({ type: 'layout-shift', buffered: false });
}"""

_SHIFTS = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  globalThis.shiftsTook(globalThis.shiftsSeen.takeRecords());
  done(globalThis.shifts.splice(0));
})))"""


async def small_targets(page: Page, roots: str = OURS) -> list[str]:
    """What can be clicked and leaves a finger less than 44 by 44 pixels, in a line each."""
    found: list[str] = await page.evaluate(_SMALL, [roots, FINGER])
    return found


async def unnamed(page: Page, roots: str = OURS) -> list[str]:
    """What can be used and has no word for those who do not see it; a title alone is none, nobody touches to read it."""
    found: list[str] = await page.evaluate(_UNNAMED, roots)
    return found


async def hover_alone(page: Page, roots: str = OURS) -> list[str]:
    """What only a pointer that hovers is told. A die and a line of the log say what is drawn or was done, and a check what it
    is for as soon as it is chosen."""
    found: list[str] = await page.evaluate(_HOVER, roots)
    return found


async def cut_off(page: Page, roots: str = OURS, *, width: int | None = None) -> list[str]:
    """Words of which not everything is in sight, or that stand beyond ``width`` pixels."""
    found: list[str] = await page.evaluate(_CUT, [roots, width])
    return found


async def watch_shifts(page: Page) -> None:
    """From now on count what Chromium says has moved by itself."""
    await page.evaluate(_WATCH_SHIFTS)


async def shifts(page: Page) -> list[str]:
    """What has moved since it was asked last, after the frames that are under way; cards that make room for a new one left out."""
    found: list[str] = await page.evaluate(_SHIFTS)
    return found
