/**
 * A button that is pressed once, and not again before its answer is there. A browser takes the focus from what cannot be pressed;
 * whoever pressed it is still at it afterwards.
 *
 * @template Answer
 * @param {HTMLButtonElement} button
 * @param {() => Answer | Promise<Answer>} act
 * @returns {Promise<Answer>}
 */
export async function whileBusy(button, act) {
  const page = button.ownerDocument;
  const pressed = page.activeElement === button;
  button.disabled = true;
  try {
    return await act();
  } finally {
    button.disabled = false;
    if (pressed && (page.activeElement === null || page.activeElement === page.body)) button.focus();
  }
}
