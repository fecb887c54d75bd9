// The sources of sentences in the support of a pair.

// Lead from a source to its sentence. The address names the pair, and stays.
function leadToSource(event) {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  const pane = event.currentTarget;
  pane.querySelector(".asked")?.classList.remove("asked");
  const sentence = pane.querySelector(link.hash);
  sentence.classList.add("asked");
  sentence.tabIndex = -1;
  sentence.focus({ preventScroll: true });
  scrollTo(pane, sentence);
}
