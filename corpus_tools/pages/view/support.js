// The page of support: a pair is shown as the program has written it.

const main = document.querySelector("main");
const KEYS = {};

function showPair({ html }) {
  get("pair").innerHTML = html;
  main.scrollTop = 0;
  highlightSearch([get("pair")]);
}

function showNothing() {
  get("pair").replaceChildren();
}

function abstractOf({ abstract }) {
  return abstract;
}

function documentOf({ html }) {
  const holder = make("template");
  holder.innerHTML = html;
  return holder.content.textContent;
}

// Lead from a source to its sentence. The address names the pair, and stays.
main.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  main.querySelector(".asked")?.classList.remove("asked");
  const sentence = main.querySelector(link.hash);
  sentence.classList.add("asked");
  sentence.tabIndex = -1;
  sentence.focus({ preventScroll: true });
  scrollTo(main, sentence);
});

start();
