"""Finds texts on a page that can hardly be read, as WCAG 2 (1.4.3) defines it for small text."""

from typing import Any

LEAST = 4.5
"""The contrast that small text must have."""

SCHEMES = ("light", "dark")

PALE = """
const [least, canvas] = arguments;
const numbers = (color) => {
  const [r, g, b, alpha = 1] = color.match(/[\\d.]+(?:e-?\\d+)?/g).map(Number);
  const scale = color.startsWith("rgb") ? 255 : 1;
  return [r / scale, g / scale, b / scale, alpha];
};
const over = (top, under) => {
  const rest = under[3] * (1 - top[3]);
  const alpha = top[3] + rest;
  if (!alpha) return under;
  return [...[0, 1, 2].map((n) => (top[n] * top[3] + under[n] * rest) / alpha), alpha];
};
// What is seen of a colour in an element: below are the element's background and all others.
const seen = (color, element) => {
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    color = over(color, numbers(style.backgroundColor));
    color[3] *= Number(style.opacity);
  }
  return over(color, canvas);
};
const luminance = (color) => {
  const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = color.map(linear);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const found = {};
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const words = texts.currentNode.data.trim();
  const element = texts.currentNode.parentElement;
  // What cannot be used may be pale.
  const counts = words && !element.closest(".hidden, script, :disabled");
  if (!counts || !element.checkVisibility({ visibilityProperty: true })) continue;
  const colors = [numbers(getComputedStyle(element).color), [0, 0, 0, 0]];
  const [dark, light] = colors.map((one) => luminance(seen(one, element))).sort((x, y) => x - y);
  const contrast = (light + 0.05) / (dark + 0.05);
  if (contrast < least) found[words.slice(0, 40)] = contrast;
}
return found;
"""


def pale_texts(browser: Any, scheme: str) -> dict[str, float]:
    """Return the texts of a page that can hardly be read, each with its contrast.

    ``scheme``  one of ``SCHEMES``, which the page shows meanwhile.
    """
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    canvas = [0, 0, 0, 1] if scheme == "dark" else [1, 1, 1, 1]
    found: dict[str, float] = browser.execute_script(PALE, LEAST, canvas)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return found
