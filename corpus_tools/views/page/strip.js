// The strip: abstract above, document below, and a ribbon for each link.

const STRIP = { width: 1000, height: 40, bar: 5, least: 3 };

function showStrip(strip, pair) {
  const scale = (name) => STRIP.width / Math.max(1, pair[name].spans.length);
  const [abstractScale, documentScale] = [scale("abstract"), scale("document")];
  strip.setAttribute("viewBox", `0 0 ${STRIP.width} ${STRIP.height}`);
  strip.setAttribute("aria-label", describeSources(pair));
  const shapes = [bar(0, STRIP.width, "axis"), ...pair[`document`].sentences.slice(1, -1).map((boundary) =>
    shape("line", { class: "boundary", x1: boundary * documentScale, x2: boundary * documentScale,
                    y1: STRIP.height - STRIP.bar, y2: STRIP.height }))];
  for (const link of pair.links) {
    for (const abstract of spansIn(link.abstract)) {
      for (const document of spansIn(link.document)) {
        const ends = [...abstract.map((token) => token * abstractScale), ...document.map((token) => token * documentScale)];
        shapes.push(ribbon(link, ...ends));
      }
    }
  }
  strip.replaceChildren(...shapes);
}

function ribbon(link, a, aEnd, d, dEnd) {
  const right = Math.max(dEnd, d + STRIP.least);
  const [top, bottom] = [STRIP.height - STRIP.bar, STRIP.height];
  const points = [[a, 0], [aEnd, 0], [right, top], [right, bottom], [d, bottom], [d, top]];
  return shape("polygon", { class: `ribbon ${link.status}`, "data-links": link.number,
                            "data-color": link.color ?? link.number % COLORS, points: points.join(" ") });
}

function bar(x, width, name) {
  return shape("rect", { class: name, x, width, y: STRIP.height - STRIP.bar, height: STRIP.bar });
}

function shape(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Say in words from which tenths of the document the abstract draws.
function describeSources(pair) {
  const words = pair.document.spans.length;
  const tenths = new Set(pair.links.filter((link) => link.status !== "missing")
    .map((link) => Math.floor((10 * tokensOf(link.document)[0]) / words) + 1));
  if (!tenths.size) return "No part of the abstract comes from the document.";
  return `The abstract comes from tenths ${[...tenths].sort((x, y) => x - y).join(", ")} of the document.`;
}
